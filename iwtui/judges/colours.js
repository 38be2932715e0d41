const pen = (() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  return (css) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
})();

const over = (top, bottom) => bottom.map((value, i) => Math.round(top[i] * top[3] + value * (1 - top[3])));

// What an element paints behind its content: its background colour, or the mean of its gradient's colours. Null for nothing.
function paint(el) {
  const style = getComputedStyle(el);
  if (style.backgroundImage.includes("gradient(")) {
    const stops = (style.backgroundImage.match(/(?:rgba?|hsla?|oklch|oklab|lab|lch|color)\([^()]*\)/g) ?? []).map(pen);
    if (stops.length) return [0, 1, 2, 3].map((i) => stops.reduce((sum, stop) => sum + stop[i], 0) / stops.length);
  }
  const colour = pen(style.backgroundColor);
  return colour[3] > 0 ? colour : null;
}

// Colours one over the other, the topmost first, down to the white of an empty page.
function blend(layers) {
  const opaque = layers.findIndex((layer) => layer[3] >= 0.999);
  const used = opaque < 0 ? layers : layers.slice(0, opaque + 1);
  return used.reduceRight((below, layer) => over(layer, below), [255, 255, 255]);
}

const ownCanvas = () => paint(document.documentElement) ?? (document.body && paint(document.body));

// The page's own background: the canvas, or what lies over nearly all of the page (not its bars, cards and columns).
function pageBackground() {
  const root = document.documentElement;
  const width = innerWidth, height = Math.max(root.scrollHeight, innerHeight);
  const covers = (el) => {
    const box = el.getBoundingClientRect();
    const whole = getComputedStyle(el).position === "fixed" ? innerHeight : height;
    return box.width >= 0.9 * width && box.height >= 0.75 * whole;
  };
  const layers = [ownCanvas()].filter(Boolean);
  for (const el of reader.elements().slice(paint(root) ? 0 : 1)) {
    const layer = covers(el) && reader.visible(el) ? paint(el) : null;
    if (layer) layers.unshift(layer);
  }
  return blend(layers);
}

// What is painted over most of an element: looked at on a grid of points, through transparent layers, without its controls.
function background(el) {
  el.scrollIntoView({ block: "nearest", behavior: "instant" });
  const box = el.getBoundingClientRect();
  const seen = new Map();
  for (let i = 0; i < 12; i++) {
    for (let j = 0; j < 6; j++) {
      const x = box.left + (box.width * (i + 0.5)) / 12, y = box.top + (box.height * (j + 0.5)) / 6;
      const stack = document.elementsFromPoint(x, y).filter((one) => (el.contains(one) || one.contains(el)) && one !== document.body && one !== document.documentElement);
      if (!stack.some((one) => el.contains(one))) continue;
      const colour = blend([...stack.map(paint), ownCanvas()].filter(Boolean));
      seen.set(colour.join(), (seen.get(colour.join()) ?? 0) + 1);
    }
  }
  const most = [...seen].sort((a, b) => b[1] - a[1])[0];
  return most ? most[0].split(",").map(Number) : blend([paint(el), ownCanvas()].filter(Boolean));
}

// The colour of most of an element's text.
function textColour(el) {
  const seen = new Map();
  const walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.data.trim().length;
    if (!length || !reader.visible(node.parentElement)) continue;
    const colour = pen(getComputedStyle(node.parentElement).webkitTextFillColor).slice(0, 3).join();
    seen.set(colour, (seen.get(colour) ?? 0) + length);
  }
  const most = [...seen].sort((a, b) => b[1] - a[1])[0];
  return most ? most[0].split(",").map(Number) : pen(getComputedStyle(el).color).slice(0, 3);
}

const borderColour = (el) => {
  const style = getComputedStyle(el);
  const side = ["Top", "Bottom", "Left", "Right"].find((one) => parseFloat(style[`border${one}Width`]) > 0);
  return side ? pen(style[`border${side}Color`]).slice(0, 3) : null;
};

const colourOf = { background, text: textColour, border: borderColour };

// CSS colours as numbers; null for what is no colour.
const resolved = (values) => values.map((value) => (CSS.supports("color", value) ? pen(value).slice(0, 3) : null));

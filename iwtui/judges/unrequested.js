const CONTROLS = "button link textbox searchbox combobox spinbutton slider checkbox radio tab menuitem switch option".split(" ");
const MEDIA = { IFRAME: "frame", VIDEO: "video", AUDIO: "audio", EMBED: "frame", OBJECT: "frame" };
const TYPES = { email: "email", password: "password", tel: "phone", file: "upload file", date: "date", time: "time", color: "colour", url: "link" };
const BOUNDS = "section, article, aside, footer, header, nav, form, dialog, main, body";

// All that a visitor can act on.
function controlsOf(every) {
  const isControl = (el) => {
    if (el.tagName === "OPTION" || el.parentElement?.closest("button, a[href]")) return false;
    return CONTROLS.includes(reader.role(el)) || reader.isClickable(el);
  };
  // Boxes that are drawn by their labels are there, though nothing of the boxes themselves is to be seen.
  const boxes = reader.elements().filter((el) => /^(checkbox|radio)$/.test(el.type) && !reader.visible(el) && [...(el.labels ?? [])].some(reader.visible));
  return every.filter((el) => isControl(el) || el.tagName in MEDIA).concat(boxes);
}

// The control at a place of the inventory.
const controlAt = (place) => controlsOf(reader.elements().filter(reader.visible))[place] ?? null;

// All that a visitor can act on, all headings, and the items that stand in lists, rows and cards.
function inventory() {
  const every = reader.elements().filter(reader.visible);
  const controls = controlsOf(every);
  const headings = every.filter((el) => reader.role(el) === "heading" && reader.squeeze(reader.text(el)));
  const items = every.filter((el) => reader.isItem(el) && holdsMore(el, controls));
  const groups = [...new Set(items.map((el) => el.parentElement))];
  const itemOf = (el) => items.findLastIndex((item) => item !== el && item.contains(el));
  const before = (el) => headings.findLastIndex((one) => one.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING && !el.contains(one));
  return {
    controls: controls.map((el) => ({
      role: MEDIA[el.tagName] ?? (reader.role(el) || "button"),
      name: (reader.name(el) || (reader.isField(el) ? reader.label(el) : "")).slice(0, 300),
      hint: hint(el),
      field: reader.isField(el) && !/^(checkbox|radio|button|submit|reset|image)$/.test(el.type),
      inner: (el.getAttribute("href") ?? "").startsWith("#"),
      item: itemOf(el),
    })),
    headings: headings.map((el) => {
      const under = section(el, headings);
      return {
        name: reader.squeeze(reader.text(el)).slice(0, 300),
        level: reader.level(el),
        item: itemOf(el),
        under: under.text,
        controls: controls.map((_, i) => i).filter((i) => under.elements.has(controls[i])),
      };
    }),
    items: items.map((el) => ({ text: content(el, controls), group: groups.indexOf(el.parentElement) })),
    groups: groups.map(before),
  };
}

// What a control's sort says, where its name may not.
function hint(el) {
  const scheme = /^(tel|mailto|sms):/.exec(el.getAttribute("href") ?? "")?.[1];
  if (scheme) return scheme === "mailto" ? "email" : "phone";
  return el.tagName === "INPUT" ? TYPES[el.type] ?? "" : "";
}

// The text of an item without that of its controls.
function content(el, controls) {
  const walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  const said = [];
  for (let node = walker.nextNode(); node && said.length < 200; node = walker.nextNode()) {
    const up = node.parentElement;
    const own = up.closest("button, select, textarea, label") ?? (controls.includes(up) && up.tagName !== "A" ? up : null);
    if ((!own || own.contains(el)) && reader.visible(up)) said.push(node.data);
  }
  return reader.squeeze(said.join(" ")).slice(0, 1000);
}

// An item of a menu is its link and nothing more; that makes it no item of content.
function holdsMore(el, controls) {
  const own = controls.filter((one) => one !== el && el.contains(one));
  const whole = reader.squeeze(reader.text(el));
  return whole !== "" && !own.some((one) => reader.squeeze(reader.text(one)) === whole);
}

// What stands under a heading: up to the next of its level, or to the end of its section.
function section(heading, headings) {
  const bound = heading.parentElement.closest(BOUNDS) ?? document.body;
  const stop = headings.find((one) => one !== heading && bound.contains(one) && reader.level(one) <= reader.level(heading)
    && heading.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
  const inside = (node) => heading.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING && !heading.contains(node)
    && !(stop && (stop === node || stop.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING || stop.contains(node)));
  const found = new Set();
  const said = [];
  const walker = document.createTreeWalker(bound, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!inside(node)) continue;
    if (node.nodeType === Node.ELEMENT_NODE) found.add(node);
    else if (node.data.trim() && reader.visible(node.parentElement)) said.push(node.data);
  }
  return { text: reader.squeeze(said.join(" ")).slice(0, 2000), elements: found };
}

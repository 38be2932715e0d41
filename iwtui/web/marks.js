// The interactive elements in view, found in one pass. Runs in a world of its own: the page's scripts neither see nor
// change it, and nothing is written into the document. Defines `iwtui`, whose functions the console calls by name.
globalThis.iwtui = (() => {
  const TAGS = new Set(["A", "AREA", "BUTTON", "INPUT", "SELECT", "TEXTAREA", "SUMMARY", "OPTION", "LABEL", "VIDEO", "AUDIO"]);
  const ROLES = new Set(
    ("button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider " +
      "spinbutton switch tab textbox treeitem").split(" "),
  );
  const HANDLERS = ["onclick", "onmousedown", "onmouseup", "onpointerdown", "onpointerup", "ontouchstart"];
  const INPUT_ROLES = {
    button: "button", checkbox: "checkbox", color: "button", file: "button", image: "button", number: "spinbutton",
    radio: "radio", range: "slider", reset: "button", search: "searchbox", submit: "button",
  };
  const TAG_ROLES = { A: "link", AREA: "link", BUTTON: "button", SUMMARY: "button", TEXTAREA: "textbox", OPTION: "option", LABEL: "label", VIDEO: "video", AUDIO: "audio" };
  // Where in a box a click may go, best first: the centre, then points nearer to its edges.
  const SPOTS = [[0.5, 0.5], [0.5, 0.8], [0.5, 0.2], [0.2, 0.5], [0.8, 0.5], [0.15, 0.85], [0.85, 0.85], [0.15, 0.15], [0.85, 0.15], [0.5, 0.95], [0.5, 0.05]];
  const NAME = 120, DEEPEST = 8;
  // A form's fields, and names within a document, hide the members of the same name (<form name="title">): go past them.
  const own = (prototype, name) => {
    const member = Object.getOwnPropertyDescriptor(prototype, name);
    return member.get ? (it) => member.get.call(it) : (it, ...given) => member.value.apply(it, given);
  };
  const tagOf = own(Element.prototype, "tagName"), parentElementOf = own(Node.prototype, "parentElement"), slotOf = own(Element.prototype, "assignedSlot");
  const rootOf = own(Node.prototype, "getRootNode"), topmost = own(Document.prototype, "elementFromPoint"), walkerOf = own(Document.prototype, "createTreeWalker");
  const viewOf = own(Document.prototype, "defaultView"), isForm = (el) => tagOf(el) === "FORM";

  // Keys stand for elements from one call to the next; a new document starts elsewhere, so that an old key finds nothing.
  const keys = new WeakMap(), elements = new Map();
  let nextKey = Math.floor(Math.random() * 2 ** 40) + 1;
  const keyOf = (el) => {
    let key = keys.get(el);
    if (!key) { key = nextKey++; keys.set(el, key); elements.set(key, new WeakRef(el)); }
    return key;
  };
  const elementOf = (key) => { const el = elements.get(key)?.deref(); return el && el.isConnected ? el : null; };

  const parentOf = (el) => slotOf(el) || parentElementOf(el) || rootOf(el).host || null;
  const innerDocument = (el) => {
    const tag = tagOf(el);
    return tag === "IFRAME" || tag === "FRAME" ? el.contentDocument : null;
  };
  // A frame's content: where it begins in the coordinates around it, and how much it is scaled.
  const inset = (frame) => {
    const box = frame.getBoundingClientRect(), style = getComputedStyle(frame);
    const sx = frame.offsetWidth ? box.width / frame.offsetWidth : 1, sy = frame.offsetHeight ? box.height / frame.offsetHeight : 1;
    return {
      x: box.left + (frame.clientLeft + parseFloat(style.paddingLeft)) * sx,
      y: box.top + (frame.clientTop + parseFloat(style.paddingTop)) * sy, sx, sy,
    };
  };
  // The innermost element at a point of the view, through shadow roots and frames.
  const at = (x, y) => {
    let el = topmost(document, x, y);
    for (let depth = 0; el && !isForm(el) && depth < 50; depth++) {
      let inner = null;
      if (el.shadowRoot) inner = el.shadowRoot.elementFromPoint(x, y);
      else {
        const content = innerDocument(el);
        if (content) {
          const place = inset(el);
          x = (x - place.x) / place.sx; y = (y - place.y) / place.sy;
          inner = topmost(content, x, y);
        }
      }
      if (!inner || inner === el) break;
      el = inner;
    }
    return el;
  };

  const roleOf = (el) => {
    if (isForm(el)) return "form";
    const given = (el.getAttribute("role") || "").trim().split(/\s+/)[0].toLowerCase();
    if (given) return given;
    if (el.tagName === "INPUT") return INPUT_ROLES[el.type] || "textbox";
    if (el.tagName === "SELECT") return el.multiple || el.size > 1 ? "listbox" : "combobox";
    return TAG_ROLES[el.tagName] || (el.isContentEditable ? "textbox" : "clickable");
  };
  // Whether the element itself says that one can act on it.
  const strong = (el) => {
    if (isForm(el)) return false;
    if (TAGS.has(el.tagName)) {
      switch (el.tagName) {
        case "A": case "AREA": if (el.hasAttribute("href")) return true; break;
        case "INPUT": return el.type !== "hidden";
        case "VIDEO": case "AUDIO": return el.controls;
        case "LABEL": return !!el.control && !sized(el.control);
        default: return true;
      }
    }
    if (!el.attributes.length) return false;
    const role = el.getAttribute("role");
    if (role && ROLES.has(role.trim().split(/\s+/)[0].toLowerCase())) return true;
    if (el.hasAttribute("tabindex") && el.tabIndex >= 0) return true;
    if (el.hasAttribute("contenteditable") && el.isContentEditable) return true;
    return HANDLERS.some((handler) => el.hasAttribute(handler));
  };
  const sized = (el) => { const box = el.getBoundingClientRect(); return box.width > 1 && box.height > 1; };
  // A pointer begins to show here, and nothing around it already counts.
  const weak = (el, view) => {
    if (view.getComputedStyle(el).cursor !== "pointer") return false;
    const parent = parentOf(el);
    if (parent && view.getComputedStyle(parent).cursor === "pointer") return false;
    for (let up = parent; up; up = parentOf(up)) if (strong(up)) return false;
    return true;
  };

  const squeeze = (text) => text.replace(/\s+/g, " ").trim().slice(0, NAME);
  const textOf = (el) => {
    const parts = [];
    let length = 0, seen = 0;
    const walk = (node) => {
      for (let child = node.firstChild; child && length < NAME && seen < 400; child = child.nextSibling) {
        seen++;
        if (child.nodeType === 3) { parts.push(child.data.slice(0, 4 * NAME)); length += child.data.trim().length; }
        else if (child.nodeType === 1 && !/^(SCRIPT|STYLE|TEMPLATE|SELECT|FORM)$/.test(tagOf(child))) {
          if (child.tagName === "IMG" || child.getAttribute("aria-label")) parts.push(" " + (child.getAttribute("aria-label") || child.alt || "") + " ");
          else { walk(child.shadowRoot || child); parts.push(" "); }
        }
      }
    };
    walk(el.shadowRoot || el);
    return squeeze(parts.join(""));
  };
  const nameOf = (el) => {
    if (isForm(el)) return "";
    const root = rootOf(el), by = el.getAttribute("aria-labelledby");
    if (by) {
      const name = squeeze(by.split(/\s+/).map((id) => root.querySelector?.(`[id="${CSS.escape(id)}"]`)?.textContent || "").join(" "));
      if (name) return name;
    }
    const aria = squeeze(el.getAttribute("aria-label") || "");
    if (aria) return aria;
    if (el.tagName === "INPUT" || el.tagName === "SELECT" || el.tagName === "TEXTAREA") {
      const label = el.labels?.length ? squeeze([...el.labels].map(textOf).join(" ")) : "";
      const shown = /^(button|submit|reset)$/.test(el.type) ? el.value || el.type : el.getAttribute("alt");
      return label || squeeze(shown || el.getAttribute("placeholder") || el.title || el.name || "");
    }
    return textOf(el) || squeeze(el.title || el.getAttribute("alt") || el.querySelector("title")?.textContent || "");
  };
  const stateOf = (el) => {
    const states = [], aria = (name) => el.getAttribute("aria-" + name);
    if (el.matches(":disabled") || aria("disabled") === "true") states.push("disabled");
    if (/^(checkbox|radio)$/.test(el.type) ? el.checked : aria("checked") === "true") states.push("checked");
    if (aria("selected") === "true" || (el.tagName === "OPTION" && el.selected)) states.push("selected");
    if (aria("pressed") === "true") states.push("pressed");
    if (aria("expanded")) states.push(aria("expanded") === "true" ? "expanded" : "collapsed");
    const chosen = el.tagName === "SELECT" ? el.selectedOptions[0]?.label : null;
    const typed = /^(INPUT|TEXTAREA)$/.test(el.tagName) && !/^(checkbox|radio|button|submit|reset|image|file|password)$/.test(el.type) ? el.value : null;
    const value = squeeze(chosen ?? typed ?? "").slice(0, 60);
    if (value) states.push(`value: ${value}`);
    return states.join(", ");
  };

  // The chain of frames from the view down to a document, as one shift and scale.
  const placeOf = (el) => {
    let place = { x: 0, y: 0, sx: 1, sy: 1 };
    for (let frame = viewOf(el.ownerDocument)?.frameElement; frame; frame = viewOf(frame.ownerDocument)?.frameElement) {
      const next = inset(frame);
      place = { x: next.x + place.x * next.sx, y: next.y + place.y * next.sy, sx: place.sx * next.sx, sy: place.sy * next.sy };
    }
    return place;
  };
  const shown = (box, place) => {
    if (place.y + box.top * place.sy >= innerHeight) return null; // most of a long page, and the quickest to say
    const left = Math.max(0, place.x + box.left * place.sx), top = Math.max(0, place.y + box.top * place.sy);
    const right = Math.min(innerWidth, place.x + box.right * place.sx), bottom = Math.min(innerHeight, place.y + box.bottom * place.sy);
    return right - left >= 1 && bottom - top >= 1 ? { left, top, right, bottom } : null;
  };
  // A point of the view that hits the element itself: no other candidate stands between it and what is on top there.
  const pointOn = (el, place, isCandidate) => {
    let boxes = [...el.getClientRects()].map((box) => shown(box, place)).filter(Boolean);
    const area = (box) => (box.right - box.left) * (box.bottom - box.top);
    if (boxes.length > 1) boxes = boxes.sort((one, two) => area(two) - area(one)).slice(0, 3);
    for (const box of boxes)
      for (const [fx, fy] of SPOTS) {
        const x = box.left + (box.right - box.left) * fx, y = box.top + (box.bottom - box.top) * fy;
        for (let up = at(x, y); up; up = parentOf(up)) {
          if (up === el) return { x, y };
          if (isCandidate(up)) break;
        }
      }
    return null;
  };

  const marks = (most, budget) => {
    const begun = performance.now(), found = [], candidates = new Set();
    let cut = "";
    const late = () => performance.now() - begun > budget;
    const scan = (root, place, frame, depth) => {
      const whole = root.ownerDocument || root, view = viewOf(whole), walker = walkerOf(whole, root, NodeFilter.SHOW_ELEMENT);
      for (let el = walker.nextNode(), n = 0; el && !cut; el = walker.nextNode()) {
        if ((++n & 63) === 0 && late()) { cut = "time"; return; }
        if (isForm(el)) continue;
        const inner = el.shadowRoot;
        if (inner && depth < DEEPEST) scan(inner, place, frame, depth + 1);
        const seen = shown(el.getBoundingClientRect(), place);
        if (!seen) continue;
        const isStrong = strong(el);
        const content = depth < DEEPEST && innerDocument(el);
        if (content) { const next = inset(el); scan(content, { x: place.x + next.x * place.sx, y: place.y + next.y * place.sy, sx: place.sx * next.sx, sy: place.sy * next.sy }, frame ? `${frame} ${el.name || "frame"}` : el.name || "frame", depth + 1); }
        else if (isStrong || weak(el, view)) { candidates.add(el); found.push({ el, box: seen, place, frame }); }
        if (found.length > 4 * most) cut = "count";
      }
    };
    scan(document, { x: 0, y: 0, sx: 1, sy: 1 }, "", 0);
    const list = [], round = (value) => Math.round(value * 10) / 10;
    const isCandidate = (el) => candidates.has(el);
    for (const { el, box, place, frame } of found) {
      if (list.length === most) { cut = "count"; break; }
      if (late()) { cut = "time"; break; }
      const point = pointOn(el, place, isCandidate);
      if (!point) continue;
      list.push({
        n: list.length + 1, key: keyOf(el), role: roleOf(el).slice(0, 40), name: nameOf(el), tag: el.tagName.toLowerCase().slice(0, 40), state: stateOf(el),
        x: round(box.left), y: round(box.top), width: round(box.right - box.left), height: round(box.bottom - box.top),
        cx: round(point.x), cy: round(point.y), frame: frame.slice(0, 80),
      });
    }
    return JSON.stringify({ marks: list, cut: cut !== "", seconds: (performance.now() - begun) / 1000, width: innerWidth, height: innerHeight });
  };

  return { marks, own, at, tagOf, parentOf, viewOf, isForm, placeOf, pointOn, elementOf, roleOf, nameOf, innerDocument };
})();

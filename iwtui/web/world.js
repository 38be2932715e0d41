// What the console asks of a page besides its marks: is it settled, what does it say, where is an element now, and did
// an event reach it. Extends `iwtui`; like it, unseen by the page's scripts.
Object.assign(iwtui, (() => {
  const { own, at, tagOf, parentOf, viewOf, isForm, placeOf, pointOn, elementOf, innerDocument, roleOf, nameOf } = iwtui;
  const SUBSTANCE = "img,svg,canvas,video,audio,iframe,object,embed,input,button,select,textarea,progress,meter,hr";
  const PICKED = /^(date|time|month|week|datetime-local|color|range)$/, UNTYPED = /^(checkbox|radio|button|submit|reset|image|file|hidden)$/;
  const every = own(Document.prototype, "querySelectorAll"), bodyOf = own(Document.prototype, "body"), titleOf = own(Document.prototype, "title");
  const readyOf = own(Document.prototype, "readyState"), fontsOf = own(Document.prototype, "fonts"), scrollerOf = own(Document.prototype, "scrollingElement");
  const rootElement = own(Document.prototype, "documentElement"), spoken = own(HTMLElement.prototype, "innerText");
  const all = (root, what) => (root.nodeType === 9 ? every(root, what) : root.querySelectorAll(what));
  const MOST_ELEMENTS = 20000;
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const frame = () => Promise.race([new Promise((done) => requestAnimationFrame(() => done())), pause(60)]);
  const label = (el) => (el ? `${roleOf(el)} "${nameOf(el).slice(0, 60)}" <${el.tagName.toLowerCase()}>` : "nothing");

  function* roots(root, depth = 0) {
    yield root;
    let n = 0;
    for (const el of all(root, "*")) {
      if (isForm(el)) continue;
      if (++n > MOST_ELEMENTS || depth > 8) return;
      const inner = el.shadowRoot || innerDocument(el);
      if (inner) yield* roots(inner, depth + 1);
    }
  }
  const said = (root) => {
    const tops = root.nodeType === 9 ? [bodyOf(root) || rootElement(root)] : [...root.children];
    return tops.filter((el) => el && !/^(STYLE|SCRIPT|TEMPLATE)$/.test(tagOf(el))).map((el) => ("innerText" in el ? spoken(el) : el.textContent)).join("\n");
  };
  const text = (most) => {
    const parts = [];
    let length = 0;
    for (const root of roots(document)) {
      const part = said(root).trim();
      if (part) { parts.push(part.slice(0, most)); length += part.length; }
      if (length >= most) break;
    }
    return parts.join("\n").slice(0, most);
  };
  const isEmpty = () => {
    for (const root of roots(document)) {
      if (said(root).trim()) return false;
      for (const el of all(root, SUBSTANCE)) { const box = el.getBoundingClientRect(); if (box.width > 1 && box.height > 1) return false; }
    }
    return true;
  };

  // Whether the document still is as it was when it last stood still; one with frames or shadow roots cannot be told.
  const EVERYTHING = { subtree: true, childList: true, characterData: true, attributes: true };
  let changes = 0, stood = null;
  const tally = new MutationObserver((records) => { changes += records.length; });
  const stand = () => { tally.disconnect(); tally.observe(document, EVERYTHING); changes = 0; stood = location.href; };
  const stands = () => { changes += tally.takeRecords().length; return !changes && stood === location.href && [...roots(document)].length === 1; };

  // Wait until the document stands still for `quiet` ms, at most `most` ms, or `patience` ms for a page with nothing on it.
  const settle = async (quiet, most, patience) => {
    const begun = performance.now();
    let changed = begun, empty = true;
    const watch = new MutationObserver(() => { changed = performance.now(); });
    watch.observe(document, EVERYTHING);
    await frame();
    for (;;) {
      const now = performance.now();
      const still = now - changed >= quiet && readyOf(document) !== "loading";
      if (still || now - begun >= most) {
        empty = isEmpty();
        if (!empty || now - begun >= patience) break;
      }
      await pause(40);
    }
    watch.disconnect();
    stand();
    return { empty, title: titleOf(document).slice(0, 300), fonts: fontsOf(document).status === "loaded" };
  };

  const centre = (el) => { const box = el.getBoundingClientRect(), place = placeOf(el); return [place.x + (box.left + box.width / 2) * place.sx, place.y + (box.top + box.height / 2) * place.sy]; };
  const hits = (el, x, y) => { for (let up = at(x, y); up; up = parentOf(up)) if (up === el) return true; return false; };
  // Where the element can be hit now, when it stands still or after a second; (fx, fy) is the wanted point within its box.
  const locate = async (key, fx, fy) => {
    const el = elementOf(key);
    if (!el || !el.getClientRects().length) return { gone: true };
    let [x, y] = centre(el);
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) { el.scrollIntoView({ block: "center", inline: "center", behavior: "instant" }); [x, y] = centre(el); }
    for (const begun = performance.now(); performance.now() - begun < 1000; ) {
      await frame();
      const [nx, ny] = centre(el);
      const still = Math.abs(nx - x) < 1 && Math.abs(ny - y) < 1;
      [x, y] = [nx, ny];
      if (still) break;
    }
    if (!el.isConnected) return { gone: true };
    const box = el.getBoundingClientRect(), place = placeOf(el);
    const wanted = { x: place.x + (box.left + box.width * fx) * place.sx, y: place.y + (box.top + box.height * fy) * place.sy };
    const point = hits(el, wanted.x, wanted.y) ? wanted : pointOn(el, place, () => false);
    return { gone: false, disabled: el.matches(":disabled"), point, cover: point ? "" : label(at(x, y)) };
  };

  let armed = null;
  const EVENTS = ["pointerdown", "mousedown", "click"];
  // Watch whether a real event of the pointer reaches the element.
  const arm = (key) => {
    const el = elementOf(key), view = el && viewOf(el.ownerDocument);
    if (!view) return false;
    const seen = { reached: false, other: null };
    const listen = (event) => {
      if (!event.isTrusted) return;
      const path = event.composedPath();
      if (path.includes(el)) seen.reached = true;
      else seen.other = path[0];
    };
    const views = new Set([window, view]);
    for (const each of views) for (const type of EVENTS) each.addEventListener(type, listen, { capture: true, passive: true });
    armed = { seen, disarm: () => { for (const each of views) for (const type of EVENTS) each.removeEventListener(type, listen, { capture: true }); } };
    return true;
  };
  const report = () => {
    if (!armed) return null;
    const { seen, disarm } = armed;
    armed = null;
    disarm();
    return { reached: seen.reached, other: seen.other instanceof Element ? label(seen.other) : "" };
  };

  const fieldKind = (el) => {
    if (el.tagName === "TEXTAREA") return "typed";
    if (el.tagName === "INPUT") return PICKED.test(el.type) ? "picked" : UNTYPED.test(el.type) ? "none" : "typed";
    return el.isContentEditable ? "editable" : "none";
  };
  // The field that a mark leads to: itself, what its label labels, or the one that has the focus within it.
  const fieldOf = (el) => {
    const inner = el.control || el;
    if (fieldKind(inner) !== "none") return inner;
    return inner.querySelector("input,textarea,[contenteditable]") || inner;
  };
  const field = (key) => { const el = elementOf(key); return el ? fieldKind(fieldOf(el)) : "gone"; };
  const focus = (key) => {
    const el = fieldOf(elementOf(key));
    const active = el.getRootNode().activeElement;
    if (active !== el && !el.contains(active)) el.focus();
    return true;
  };
  const value = (key) => { const el = elementOf(key) && fieldOf(elementOf(key)); return el ? String(el.value ?? el.innerText ?? "").slice(0, 3000) : null; };
  const told = (el) => { for (const type of ["input", "change"]) el.dispatchEvent(new Event(type, { bubbles: true, composed: true })); };
  const put = (key, given) => { const el = fieldOf(elementOf(key)); el.value = given; told(el); return true; };
  const choose = (key, wanted) => {
    let el = elementOf(key);
    if (!el) return { gone: true };
    el = el.control || (el.tagName === "OPTION" ? el.closest("select") : el);
    if (el?.tagName !== "SELECT") return { select: false };
    const plain = (given) => given.replace(/\s+/g, " ").trim().toLowerCase();
    const options = [...el.options], sought = plain(wanted);
    const chosen = options.find((option) => plain(option.label) === sought || plain(option.text) === sought)
      || options.find((option) => plain(option.value) === sought) || (sought && options.find((option) => plain(option.label).includes(sought)));
    if (el.disabled || chosen?.disabled) return { select: true, disabled: true };
    if (!chosen) return { select: true, offers: options.slice(0, 20).map((option) => option.label.slice(0, 40)) };
    if (el.multiple) chosen.selected = true; else el.value = chosen.value;
    if (!chosen.selected) chosen.selected = true;
    told(el);
    return { select: true, chosen: chosen.label.slice(0, 80) };
  };

  const WAYS = { down: [0, 0.8], up: [0, -0.8], right: [0.8, 0], left: [-0.8, 0] };
  // Scroll what is in the middle of the view, or the nearest thing around it that can still move that way.
  const scroll = (way) => {
    const whole = scrollerOf(document) || rootElement(document);
    const move = (el) => {
      const before = [el.scrollLeft, el.scrollTop];
      if (way === "top") el.scrollTo({ top: 0, behavior: "instant" });
      else if (way === "bottom") el.scrollTo({ top: el.scrollHeight, behavior: "instant" });
      else el.scrollBy({ left: WAYS[way][0] * Math.min(el.clientWidth, innerWidth), top: WAYS[way][1] * Math.min(el.clientHeight, innerHeight), behavior: "instant" });
      return el.scrollLeft !== before[0] || el.scrollTop !== before[1];
    };
    for (let el = at(innerWidth / 2, innerHeight / 2); el; el = parentOf(el) || viewOf(el.ownerDocument)?.frameElement) {
      if (isForm(el)) continue;
      if (el === scrollerOf(el.ownerDocument) || /auto|scroll/.test(getComputedStyle(el).overflow)) if (move(el)) return true;
    }
    return move(whole);
  };

  return { text, settle, stands, locate, arm, report, field, focus, value, put, choose, scroll };
})());

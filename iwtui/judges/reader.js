// Reads a page the way a person does: which elements are there, of what role, with what name, label and text.
// The file is one expression, an object of functions; it keeps no state in the page.
(() => {
  const LONG = 2000;
  const MOST = 8000;
  const ITEM_ROLES = ["row", "listitem", "article"];
  const INPUT_ROLES = {
    button: "button", submit: "button", reset: "button", image: "button", file: "button",
    checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton", search: "searchbox",
  };
  const TAG_ROLES = {
    A: (el) => (el.hasAttribute("href") ? "link" : ""),
    ARTICLE: () => "article", ASIDE: () => "complementary", BUTTON: () => "button", DIALOG: () => "dialog",
    FIGURE: () => "figure", FOOTER: (el) => (sectioned(el) ? "" : "contentinfo"), FORM: () => "form",
    H1: () => "heading", H2: () => "heading", H3: () => "heading", H4: () => "heading", H5: () => "heading", H6: () => "heading",
    HEADER: (el) => (sectioned(el) ? "" : "banner"),
    IMG: () => "img", INPUT: (el) => INPUT_ROLES[el.type] ?? (el.hasAttribute("list") ? "combobox" : "textbox"),
    LI: () => "listitem", MAIN: () => "main", MENU: () => "list", NAV: () => "navigation", OL: () => "list", OPTION: () => "option",
    OUTPUT: () => "status", P: () => "paragraph", PROGRESS: () => "progressbar", SECTION: () => "region",
    SELECT: (el) => (el.multiple || el.size > 1 ? "listbox" : "combobox"), SUMMARY: () => "button",
    TABLE: () => "table", TBODY: () => "rowgroup", TD: () => "cell", TEXTAREA: () => "textbox", TFOOT: () => "rowgroup",
    TH: (el) => (el.scope === "row" || (el.scope !== "col" && el.closest("tbody") && el.cellIndex === 0 && el.parentElement.querySelector("td"))
      ? "rowheader" : "columnheader"),
    THEAD: () => "rowgroup", TR: () => "row", UL: () => "list",
  };
  const SAME = { grid: "table", treegrid: "table", gridcell: "cell", log: "status", switch: "checkbox", listbox: "combobox" };

  const sectioned = (el) => el.parentElement?.closest("article, aside, main, nav, section") != null;
  const squeeze = (text) => (text ?? "").replace(/\s+/g, " ").trim();
  const parent = (el) => el.parentElement ?? (el.getRootNode() instanceof ShadowRoot ? el.getRootNode().host : null);

  function elements(root = document.body) {
    const found = [];
    const pile = root ? [root] : [];
    while (pile.length && found.length < MOST) {
      const el = pile.pop();
      found.push(el);
      const inner = [...el.children, ...(el.shadowRoot?.children ?? [])];
      for (let i = inner.length - 1; i >= 0; i--) pile.push(inner[i]);
    }
    return found;
  }

  function visible(el) {
    if (!el.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: false })) return false;
    const box = el.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && box.right + scrollX > 0 && box.bottom + scrollY > 0;
  }

  function role(el) {
    const given = el.getAttribute("role")?.trim().split(/\s+/)[0];
    if (given) return given;
    if (el.isContentEditable && !el.parentElement?.isContentEditable) return "textbox";
    return TAG_ROLES[el.tagName]?.(el) ?? "";
  }

  function text(el) {
    const own = el.innerText ?? el.textContent ?? "";
    const shadow = el.shadowRoot ? [...el.shadowRoot.children].map((child) => child.innerText ?? "").join("\n") : "";
    return (own + (shadow && "\n" + shadow)).slice(0, LONG);
  }

  function pictured(el) {
    const inner = [...el.querySelectorAll("img[alt], [aria-label], svg title")].slice(0, 20);
    return inner.map((one) => one.getAttribute("aria-label") ?? one.getAttribute("alt") ?? one.textContent).join(" ");
  }

  function referred(el, attribute) {
    const ids = el.getAttribute(attribute)?.trim().split(/\s+/) ?? [];
    return squeeze(ids.map((id) => el.getRootNode().getElementById?.(id)?.textContent ?? "").join(" "));
  }

  function name(el) {
    const given = referred(el, "aria-labelledby") || squeeze(el.getAttribute("aria-label"));
    if (given) return given;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(el.tagName)) {
      if (/^(button|submit|reset)$/.test(el.type)) return squeeze(el.value) || (el.type === "submit" ? "Submit" : "");
      return squeeze([...(el.labels ?? [])].map((one) => ownText(one)).join(" ")) || squeeze(el.title) || squeeze(el.placeholder) || squeeze(el.alt);
    }
    return squeeze(el.getAttribute("alt")) || squeeze(text(el) + " " + pictured(el)) || squeeze(el.title);
  }

  // The text of a label without that of the control it may enclose.
  function ownText(labelElement) {
    const copy = labelElement.cloneNode(true);
    copy.querySelectorAll("input, select, textarea, button, script, style").forEach((one) => one.remove());
    return copy.textContent;
  }

  // What tells a person what a form field is for: its name, then what stands in or beside it.
  function label(el) {
    const said = [name(el), squeeze(el.placeholder), squeeze(el.title)].filter(Boolean);
    if (!said.length) {
      const beside = el.previousElementSibling ?? el.parentElement?.previousElementSibling;
      if (beside && !beside.matches("input, select, textarea, button")) said.push(squeeze(text(beside)).slice(0, 80));
    }
    return [...new Set(said)].join(" | ");
  }

  const isField = (el) => /^(INPUT|SELECT|TEXTAREA)$/.test(el.tagName) || el.isContentEditable;
  const isTextField = (el) => ["textbox", "searchbox", "combobox"].includes(role(el)) && el.tagName !== "SELECT";

  // Siblings that look alike are items of one list, whatever their tags.
  const shape = (el) => [el.tagName, el.className?.baseVal ?? el.className, [...el.children].map((child) => child.tagName)].join();
  const likenesses = (el) => (el.childElementCount && el.parentElement
    ? [...el.parentElement.children].filter((other) => other !== el && shape(other) === shape(el)) : []);
  const kin = (el) => [...(el.parentElement?.children ?? [])].filter((other) => other !== el && other.tagName === el.tagName
    && other.classList[0] === el.classList[0]);

  const onlyHeads = (el) => el.tagName === "TR" && (el.closest("thead") || !el.querySelector("td"));
  const inFoot = (el) => el.tagName === "TR" && el.closest("tfoot");
  const isItem = (el) => {
    if (ITEM_ROLES.includes(role(el))) return !onlyHeads(el) && !inFoot(el) && !headRow(el);
    if (!/^(DIV|A|DL|FIGURE)$/.test(el.tagName) || !el.childElementCount) return false;
    return likenesses(el).length > 0 || (el.classList.length > 0 && kin(el).length > 0);
  };
  const headRow = (el) => el.getAttribute("role") === "row" && el.querySelector("[role=columnheader]");

  function isClickable(el) {
    if (role(el) && role(el) !== "listitem" && role(el) !== "paragraph") return false;
    if (el.closest("a, button, label, select, th, [role=button]")) return false;
    const up = parent(el);
    return el.hasAttribute("onclick") || (getComputedStyle(el).cursor === "pointer" && !(up && getComputedStyle(up).cursor === "pointer"));
  }

  // The bar at the top of a page whose author wrote no header element: the widest thing that touches the upper edge.
  function topBar() {
    const wide = (el) => {
      const box = el.getBoundingClientRect();
      return box.top + scrollY <= 40 && box.width >= innerWidth * 0.8 && box.height >= 24 && box.height <= innerHeight * 0.6;
    };
    return elements().find((el) => el !== document.body && visible(el) && wide(el) && squeeze(text(el)));
  }

  const SEARCHING = /search|find|filter|look/i;
  function isSearchBox(el, fields) {
    if (role(el) === "searchbox") return true;
    return isTextField(el) && (SEARCHING.test(label(el)) || fields.length === 1);
  }

  function level(el) {
    return Number(el.getAttribute("aria-level")) || Number(/^H([1-6])$/.exec(el.tagName)?.[1]) || 2;
  }

  // Headings of a level; where a page has no h1, its largest heading is the main one.
  function ofLevel(headings, wanted) {
    const found = headings.filter((el) => level(el) === wanted);
    if (wanted !== 1 || found.length || !headings.length) return found;
    const size = (el) => parseFloat(getComputedStyle(el).fontSize);
    const largest = Math.max(...headings.map(size));
    return headings.filter((el) => size(el) === largest);
  }

  function fits(el, wanted, fields) {
    const is = role(el);
    if (wanted === is || SAME[is] === wanted || (SAME[wanted] && SAME[wanted] === (SAME[is] ?? is))) {
      return !ITEM_ROLES.includes(wanted) || isItem(el);
    }
    if (ITEM_ROLES.includes(wanted)) return isItem(el);
    if (wanted === "searchbox") return isSearchBox(el, fields);
    if (wanted === "button") return isClickable(el);
    if (wanted === "textbox") return is === "combobox" && isTextField(el);
    if (wanted === "status") return is === "alert" || (el.hasAttribute("aria-live") && el.getAttribute("aria-live") !== "off");
    if (wanted === "columnheader") {
      return el.tagName === "TD" && el.parentElement?.rowIndex === 0 && !el.closest("table")?.querySelector("th");
    }
    return false;
  }

  const hasOwnText = (el) => [...el.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());

  // A radio or checkbox that is drawn by its label is seen and clicked through it.
  function shown(el) {
    if (visible(el)) return el;
    const drawn = ["radio", "checkbox"].includes(el.type) ? [...(el.labels ?? [])].find(visible) : null;
    return drawn ?? null;
  }

  function candidates({ roles, level: wantedLevel, around }) {
    const every = elements();
    const fields = every.filter((el) => isTextField(el) && visible(el));
    let found = roles.length
      ? every.filter((el) => roles.some((wanted) => fits(el, wanted, fields)))
      : every.filter((el) => hasOwnText(el) || isField(el) || ["button", "link"].includes(role(el)));
    found = found.filter((el) => shown(el));
    const rows = found.filter((el) => role(el) === "row");
    if (rows.length && roles.every((one) => one === "row")) found = rows;
    if (wantedLevel) found = ofLevel(found, wantedLevel);
    if (roles.includes("banner") && !found.length) found = [topBar()].filter(Boolean);
    found = found.slice(0, 400);
    const texts = [];
    const ids = new Map();
    const idOf = (el) => {
      if (!ids.has(el)) ids.set(el, texts.push(text(el)) - 1);
      return ids.get(el);
    };
    const chain = (el) => {
      const steps = [];
      for (let child = el, up = parent(el); up && up !== document.body.parentElement && steps.length < 12; child = up, up = parent(up)) {
        steps.push({
          text: idOf(up),
          item: isItem(up),
          alike: likenesses(child).concat(kin(child).filter(isItem)).slice(0, 60).map(idOf),
        });
      }
      return steps;
    };
    const described = found.map((el) => ({
      role: role(el) || roles[0] || "",
      name: name(el).slice(0, LONG),
      label: isField(el) ? label(el).slice(0, LONG) : "",
      text: text(el),
      field: isField(el),
      outer: found.findIndex((other) => other !== el && el.contains(other)) >= 0,
      chain: around ? chain(el) : [],
    }));
    return { elements: found, described, texts };
  }

  // The visible text, what the browser's own bubble says about a field, and the names of what shows no text of its own.
  function told() {
    const parts = [document.body?.innerText ?? ""];
    for (const el of elements()) {
      if (el.shadowRoot) parts.push(...[...el.shadowRoot.children].map((child) => child.innerText ?? ""));
    }
    const active = document.activeElement;
    if (active?.validationMessage && active.matches(":user-invalid")) parts.push(active.validationMessage);
    return parts.join("\n").slice(0, 200000);
  }

  function named() {
    const found = [...document.querySelectorAll("[aria-label]")].filter(visible);
    return found.map((el) => el.getAttribute("aria-label")).join("\n").slice(0, 20000);
  }

  // Where to click: inside the element there may be the button that it is all about. Says what lies over it instead.
  function spot(el) {
    let aim = shown(el) ?? el;
    if (!/^(A|BUTTON|INPUT|SELECT|TEXTAREA|SUMMARY|LABEL)$/.test(aim.tagName)) {
      aim = [...aim.querySelectorAll("button, a[href], [role=button]")].find(visible) ?? aim;
    }
    aim.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = aim.getClientRects()[0];
    if (!box) return { gone: true };
    let over = null;
    for (const [fx, fy] of [[0.5, 0.5], [0.2, 0.5], [0.8, 0.5], [0.5, 0.2], [0.5, 0.8]]) {
      const x = box.left + box.width * fx, y = box.top + box.height * fy;
      let hit = document.elementFromPoint(x, y);
      while (hit?.shadowRoot?.elementFromPoint(x, y) && hit.shadowRoot.elementFromPoint(x, y) !== hit) hit = hit.shadowRoot.elementFromPoint(x, y);
      if (hit && (aim.contains(hit) || hit.contains(aim) && hit.tagName === "LABEL")) return { x, y, disabled: aim.matches(":disabled, [aria-disabled=true]") };
      over = hit ?? over;
    }
    return { over: over ? squeeze(name(over)).slice(0, 60) || over.tagName.toLowerCase() : "the edge of the window" };
  }

  // Resolves at the next change of the page, or a little later when nothing changes.
  function change() {
    return new Promise((resolve) => {
      const done = () => { watcher.disconnect(); clearTimeout(timer); resolve(); };
      const watcher = new MutationObserver(done);
      watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      const timer = setTimeout(done, 100);
    });
  }

  return { elements, visible, role, name, label, text, told, named, candidates, spot, change, squeeze, isField, isItem, isClickable, likenesses, level, parent };
})()

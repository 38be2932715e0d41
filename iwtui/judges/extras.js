// What may change on a page when something is done to it, as text to be compared. What the element itself holds is no change.
function state(el) {
  const fields = reader.elements().filter((one) => one !== el && (reader.isField(one) || one.tagName === "SELECT"));
  const stored = (store) => JSON.stringify(Object.entries(store)).slice(0, 20000);
  return {
    page: (document.documentElement?.outerHTML ?? "").slice(0, 2000000),
    fields: JSON.stringify(fields.map((one) => [one.value, one.checked])).slice(0, 20000),
    url: location.href.split("#")[0],
    place: [Math.round(scrollX), Math.round(scrollY)].join(),
    stored: stored(localStorage) + stored(sessionStorage) + document.cookie,
  };
}

const SAMPLES = { email: "anna@example.org", tel: "030123456", url: "https://example.org", number: "3", date: "2030-05-17", time: "10:30", color: "#336699" };

// The other fields of the element's form, filled as a visitor would: a form that lacks something is not sent.
function fillForm(el) {
  for (const field of el.closest("form")?.elements ?? []) {
    if (field === el || field.disabled || field.readOnly) continue;
    if (field.type === "checkbox" && field.required) field.checked = true;
    else if (field.tagName === "SELECT" && !field.value) field.selectedIndex = Math.max(0, [...field.options].findIndex((one) => one.value));
    else if ((reader.isField(field) && !/^(checkbox|radio|button|submit|reset|image|file|hidden)$/.test(field.type)) && !field.value) {
      field.value = SAMPLES[field.type] ?? "Anna";
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
  }
}

// A frame, film or sound: whether there is anything in it.
const holds = (el) => Boolean(el.currentSrc || el.getAttribute("src") || el.getAttribute("data") || el.srcdoc || el.querySelector?.("source[src]"));

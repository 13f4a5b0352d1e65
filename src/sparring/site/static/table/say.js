// Sentences in the reader's language. The template is the key in the catalogue, which comes with the page unless the
// language is English. A second template is for every `n` but 1, as in Python.

const catalogue = JSON.parse(document.getElementById("catalogue")?.textContent ?? "{}");

export function say(template, ...more) {
  const plural = typeof more[0] === "string" ? more.shift() : "", [values = {}] = more;
  const own = catalogue[template];
  const form = plural ? formOf(own, values.n) ?? (values.n === 1 ? template : plural) : own ?? template;
  return form.replace(/\{(\w+)\}/g, (field, name) => values[name] ?? field);
}

/** Return the form for a number; one beyond the list (see `site/texts.py`) has that of the same number in its second half. */
function formOf(own, n) {
  if (!own) return undefined;
  const { forms, which } = own, half = which.length / 2;
  return forms[which[n < which.length ? n : half + (n % half)]];
}

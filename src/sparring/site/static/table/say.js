// Sentences in the reader's language. The template is the key in the catalogue, which comes with the page unless the
// language is English. A second template is for every `n` but 1, as in Python.

const catalogue = JSON.parse(document.getElementById("catalogue")?.textContent ?? "{}");
const FORMS = 200; // as in `site/texts.py`: the form for a larger number follows from its last two digits

export function say(template, ...more) {
  const plural = typeof more[0] === "string" ? more.shift() : "", [values = {}] = more;
  const own = catalogue[template];
  const form = plural ? formOf(own, values.n) ?? (values.n === 1 ? template : plural) : own ?? template;
  return form.replace(/\{(\w+)\}/g, (field, name) => values[name] ?? field);
}

const formOf = (own, n) => own?.forms[own.which[n < FORMS ? n : FORMS / 2 + (n % (FORMS / 2))]];

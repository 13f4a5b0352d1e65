// Ranks the results of the documentation's search: a heading that contains the query comes before pages with its words,
// and the changelog, which mentions everything, comes last. The other numbers are Sphinx's own.
var Scorer = {
  score: ([docname, title, anchor, descr, score, filename, kind]) =>
    score + (kind === "title" ? 15 : 0) - (docname === "changes" ? 15 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};

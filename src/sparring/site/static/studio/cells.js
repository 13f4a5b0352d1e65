// Ranges of cells as spreadsheets put them on the clipboard: tabs between cells, quotes around cells with line breaks.

/** Parse a copied range into rows of texts. */
export function cellsOf(text) {
  const rows = [[""]];
  let quoted = false;
  for (let place = 0; place < text.length; place++) {
    const [char, row] = [text[place], rows.at(-1)];
    if (quoted && char === '"' && text[place + 1] === '"') row[row.length - 1] += text[++place];
    else if (char === '"' && (quoted || row.at(-1) === "")) quoted = !quoted;
    else if (!quoted && char === "\t") row.push("");
    else if (!quoted && char === "\n") rows.push([""]);
    else if (quoted || char !== "\r") row[row.length - 1] += char;
  }
  if (rows.at(-1).length === 1 && !rows.at(-1)[0]) rows.pop(); // the line break at the end
  return rows;
}

/** Return rows of texts as a range that spreadsheets paste. */
export function tabbed(rows) {
  const written = (cell) => (/[\t\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((row) => row.map(written).join("\t")).join("\n");
}

/** Points from the edges of a sheet of A4. */
const LEFT = 56;
const TOP = 780;
const LINE = 22;

/** A line of an invoice: what it is, and its value. */
export type InvoiceRow = readonly [label: string, value: string];

/** An invoice of one page as a PDF 1.4 with one of the fonts that every reader has. Signs outside of Latin-1 become `?`. */
export function invoicePdf(title: string, lines: readonly InvoiceRow[]): Buffer {
  const texts = lines.flatMap(([label, value], index) => {
    const y = TOP - (index + 2) * LINE;
    return [textAt(LEFT, y, 11, label), textAt(LEFT + 300, y, 11, value)];
  });
  const content = [textAt(LEFT, TOP, 18, title), ...texts].join("\n");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}${trailer}`, "latin1");
}

/** One byte per sign, so that the length of a text is that of its bytes. */
function textAt(x: number, y: number, size: number, text: string): string {
  const shown = text
    .replace(/[\u00a0\u202f]/g, " ")
    .replace(/[^\x20-\x7e\u00a1-\u00ff]/g, "?")
    .replace(/[\\()]/g, "\\$&");
  return `BT /F1 ${size} Tf ${x} ${y} Td (${shown}) Tj ET`;
}

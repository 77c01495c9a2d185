const text = (line: string): string => line.replace(/[\\()]/g, "\\$&");

const page = (lines: readonly string[]): string => {
  const shown = lines.map((line, index) => `${index === 0 ? "" : "0 -24 Td "}(${text(line)}) Tj`).join("\n");
  return `BT /F1 14 Tf 72 740 Td\n${shown}\nET`;
};

/** A PDF of one page that shows these lines, in ASCII (PDF 1.4). */
export const makePdf = (lines: readonly string[]): Buffer => {
  const content = page(lines);
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${table}${end}`, "latin1");
};

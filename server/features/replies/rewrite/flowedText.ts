interface QuotedLine {
  readonly depth: number;
  readonly text: string;
}

/** Takes the marks of quotation and the stuffed space from a line. */
const readLine = (line: string): QuotedLine => {
  const depth = /^>*/.exec(line)?.[0].length ?? 0;
  return { depth, text: line.slice(line[depth] === " " ? depth + 1 : depth) };
};

const signatureMark = "-- ";

/**
 * Joins the lines of a text in "format=flowed" that a program has broken (RFC 3676, 4.1 and 4.4), so that an address
 * is never in two; with `removesSpaces`, the space at a break belongs to it ("delsp=yes").
 */
export const joinFlowedLines = (text: string, removesSpaces: boolean): string => {
  const joined: string[] = [];
  let paragraph: { readonly depth: number; readonly pieces: string[] } | null = null;
  const end = (): void => {
    if (!paragraph) return;
    const marks = ">".repeat(paragraph.depth);
    joined.push(`${marks}${marks === "" ? "" : " "}${paragraph.pieces.join("")}`);
    paragraph = null;
  };
  for (const line of text.split(/\r?\n/)) {
    const { depth, text: content } = readLine(line);
    if (paragraph && paragraph.depth !== depth) end();
    const isBroken = content.endsWith(" ") && content !== signatureMark;
    if (content === signatureMark) end();
    paragraph ??= { depth, pieces: [] };
    paragraph.pieces.push(isBroken && removesSpaces ? content.slice(0, -1) : content);
    if (!isBroken) end();
  }
  end();
  return joined.join("\r\n");
};

/** Returns a hostile text of about so many bytes. */
export type Shape = (bytes: number) => string;

/** Repeats a piece. */
const many =
  (piece: string, before = "", after = ""): Shape =>
  (bytes) =>
    `${before}${piece.repeat(Math.max(1, Math.ceil(bytes / Buffer.byteLength(piece))))}${after}`;

const nested =
  (open: string, close: string): Shape =>
  (bytes) => {
    const levels = Math.ceil(bytes / (open.length + close.length));
    return `${open.repeat(levels)}${close.repeat(levels)}`;
  };

const nestedMultiparts: Shape = (bytes) => {
  const levels = Math.ceil(bytes / 60);
  return Array.from(
    { length: levels },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
  ).join("");
};

/** Makes each text once. */
const remembered = (shape: Shape): Shape => {
  const made = new Map<number, string>();
  return (bytes) => {
    const text = made.get(bytes) ?? shape(bytes);
    made.set(bytes, text);
    return text;
  };
};

/** What makes careless parsers slow: repeated, nested and unclosed pieces of every syntax that mail knows. */
const allShapes: Readonly<Record<string, Shape>> = {
  blanks: many(" ", "a", "b"),
  tabs: many("\t", "a", "\tb"),
  "folded blanks": many("                              \r\n ", "a", "b"),
  "a word and blanks": many("a                "),
  colons: many("a:"),
  semicolons: many("; "),
  parameters: many("; a=b"),
  "numbered parameters": many("; a*0*=%41"),
  "opening angles": many("<"),
  angles: many("<>"),
  "closing angles": many(">", "<"),
  "opening parentheses": many("("),
  "nested parentheses": nested("(", ")"),
  brackets: nested("[", "]"),
  braces: nested('{"a":', "}"),
  quotes: many('"'),
  "open quotes": many('a"b '),
  backslashes: many("\\"),
  "escaped quotes": many('\\"', '"'),
  commas: many("a,"),
  "encoded words": many("=?utf-8?q?=20a?= "),
  "open encoded words": many("=?utf-8?q?"),
  equals: many("="),
  "soft line breaks": many("=\r\n"),
  escapes: many("=20"),
  ampersands: many("&"),
  "open entities": many("&#x"),
  entities: many("&#160;"),
  boundaries: many("--b\r\n"),
  "beginnings of boundaries": many("\r\n--"),
  "nested multiparts": nestedMultiparts,
  "line breaks": many("\r\n"),
  "carriage returns": many("\r"),
  "line feeds": many("\n"),
  "empty fields": many("a:\r\n"),
  "stuffed dots": many("\r\n.."),
  zeros: many("\0"),
  "one long word": many("a"),
  digits: many("1"),
  "at signs": many("@"),
  addresses: many("a@b.example, "),
  "owner's addresses": many("ada+x@home.example "),
  "beginnings of addresses": many("ada+"),
  "reverse addresses": many(`re-${"a".repeat(32)}@masks.example`),
  dots: many("."),
  labels: many("a."),
  dashes: many("-", "a"),
  "percent signs": many("%"),
  "percent escapes": many("%2540"),
  links: many("https://a.example/?url="),
  "links of a checker": many("https://a.safelinks.protection.outlook.com/?url=https"),
  "open tags": many("<a "),
  "open pictures": many('<img src="//t/open" width=1 '),
  "nested tags": nested("<div>", "</div>"),
  "open comments": many("<!--"),
  "closing scripts": many("</script", "<script>"),
  "beginnings of armor": many("-----BEGIN PGP MESSAGE-----\r\n"),
  "replacement patterns": many("$&$`$'"),
  "combining marks": many("\u0301", "a"),
  "combining marks out of order": (bytes) =>
    `${"\u0301".repeat(Math.ceil(bytes / 4))}${"\u0316".repeat(Math.ceil(bytes / 4))}`,
  "marks of half width": many("\uff9e\u0301", "a"),
  "codes in a line": many("482913; "),
  "letters of many bytes": many("\u{1f469}\u200d"),
  "broken Base64": many("QUJD=", "\r\n"),
  "program lines": many("Sent from my "),
  "message ids": many("<a@b> "),
  properties: many("ATTENDEE;CN=a:mailto:a@b\r\n"),
  "Sieve strings": many('if header :is "a" ["b"] { keep; }\n'),
};

export const hostileShapes: ReadonlyMap<string, Shape> = new Map(
  Object.entries(allShapes).map(([name, shape]) => [name, remembered(shape)]),
);

/** Those that found something, or stand for others like them. */
export const usualShapes: readonly string[] = [
  "blanks",
  "folded blanks",
  "colons",
  "parameters",
  "angles",
  "nested parentheses",
  "braces",
  "open quotes",
  "backslashes",
  "commas",
  "encoded words",
  "open encoded words",
  "escapes",
  "open entities",
  "boundaries",
  "nested multiparts",
  "line breaks",
  "empty fields",
  "zeros",
  "one long word",
  "addresses",
  "labels",
  "links",
  "open tags",
  "replacement patterns",
];

/** Those that every parser gets: many normalize what they read, some of them far below. */
export const shapesForAll: readonly string[] = ["combining marks out of order"];

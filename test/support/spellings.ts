import fc from "fast-check";

const fullWidth = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) + 0xfee0);
const bold = (letter: string): string =>
  /[a-z]/.test(letter) ? String.fromCodePoint(0x1d41a + letter.charCodeAt(0) - 97) : letter;
const percent = (letter: string): string => `%${letter.charCodeAt(0).toString(16)}`;

/** Characters that most people do not see. */
export const invisible = [
  "\u00ad",
  "\u034f",
  "\u115f",
  "\u200b",
  "\u200c",
  "\u200d",
  "\u2060",
  "\u3164",
  "\ufe0f",
  "\ufeff",
];

const letter = (text: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(text) },
    { weight: 4, arbitrary: fc.constant(text.toUpperCase()) },
    { weight: 1, arbitrary: fc.constant(fullWidth(text)) },
    { weight: 1, arbitrary: fc.constant(bold(text)) },
    { weight: 1, arbitrary: fc.constant(percent(text)) },
    { weight: 1, arbitrary: fc.constantFrom(...invisible).map((one) => text + one) },
  );

const dot = fc.constantFrom(".", "\u3002", "\uff0e", "\uff61", "%2e");

/** Writes an ASCII domain in lower case as somebody might who wants it to pass for another one. */
export const spellingOf = (domain: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom("", "", "", "", "@", " ", "x@", ".", "\u200b"),
      ...Array.from(domain, (one) => (one === "." ? dot : letter(one))),
      fc.constantFrom(
        "",
        "",
        "",
        "",
        ".",
        "\u3002",
        "..",
        " ",
        "/",
        ":25",
        "?",
        "#",
        "/x",
        "\\",
        "%00",
        "\u00ad",
      ),
    )
    .map((parts) => parts.join(""));

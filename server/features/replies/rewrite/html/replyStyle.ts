/** Properties that show a text as its author sees it and refer to nothing. */
const allowedProperties = new Set(
  [
    "background background-color border border-bottom border-bottom-color border-bottom-style border-bottom-width",
    "border-collapse border-color border-left border-left-color border-left-style border-left-width border-radius",
    "border-right border-right-color border-right-style border-right-width border-spacing border-style border-top",
    "border-top-color border-top-style border-top-width border-width clear color display float font-family font-size",
    "font-style font-weight height line-height list-style-type margin margin-bottom margin-left margin-right",
    "margin-top max-height max-width min-height min-width padding padding-bottom padding-left padding-right",
    "padding-top table-layout text-align text-decoration text-decoration-line text-indent text-transform",
    "vertical-align white-space width",
  ].flatMap((names) => names.split(" ")),
);

/** Values that change nothing where they stand, or that a program writes everywhere. */
const emptyValue = /^(?:initial|inherit|unset|revert|start|windowtext|auto auto)$/;
const ownDefault: Readonly<Record<string, RegExp>> = {
  display: /^(?!none$|block$|inline-block$)/,
  "text-indent": /^0/,
  "text-transform": /^none$/,
  "text-decoration-line": /^initial$/,
};

const maxValueLength = 200;
const maxStyleLength = 4_000;

const pixels: Readonly<Record<string, number>> = { pt: 4 / 3, in: 96, cm: 37.8, mm: 3.78, pc: 16, q: 0.945 };

const hex = (value: string): string => Math.min(255, Number(value)).toString(16).padStart(2, "0");

/** One notation for colors and lengths, since programs differ in them. */
const inOneNotation = (value: string): string =>
  value
    .replaceAll(
      /rgb\(\s?(\d{1,3})\s?,\s?(\d{1,3})\s?,\s?(\d{1,3})\s?\)/g,
      (_all, red: string, green: string, blue: string) => `#${hex(red)}${hex(green)}${hex(blue)}`,
    )
    .replaceAll(
      /(?<![\w#.])(-?\d{0,6}\.?\d{1,6})(pt|in|cm|mm|pc|q)(?!\w)/g,
      (_all, length: string, unit: string) =>
        `${Math.round(Number(length) * (pixels[unit] ?? 1) * 10) / 10}px`,
    )
    .replaceAll(/(?<=\d)\.0{1,6}(?=px|em)/g, "")
    .replaceAll(/(?<![\w#.])0(?:\.0{1,6})?(?:px|em|rem|ex|%)(?!\w)/g, "0");

/** The generic family of fonts: the name of a font tells the program or system that it comes from. */
export const genericFamily = (families: string): string => {
  if (/mono|courier|consol|menlo|monaco|typewriter/i.test(families)) return "monospace";
  return /times|georgia|garamond|cambria|palatino|book|(?<!sans-)(?<!sans )serif/i.test(families) &&
    !/arial|helvetica|calibri|aptos|verdana|tahoma|segoe|sans/i.test(families)
    ? "serif"
    : "sans-serif";
};

const borderStyles = /^(?:none|hidden|solid|dotted|dashed|double|groove|ridge|inset|outset)$/;

/** Width, style and color of a border, in this order. */
const inOneOrder = (border: string): string => {
  const parts = border.split(" ");
  const rank = (part: string): number => {
    if (/^[\d.]|^(?:thin|medium|thick)$/.test(part)) return 0;
    return borderStyles.test(part) ? 1 : 2;
  };
  return parts.toSorted((a, b) => rank(a) - rank(b)).join(" ");
};

const cleanValue = (property: string, raw: string): string | null => {
  const collapsed = raw.toLowerCase().replace(/!important$/, "");
  const noted = property === "font-family" ? genericFamily(collapsed) : inOneNotation(collapsed.trim());
  const value = /^border(?:-(?:top|right|bottom|left))?$/.test(property) ? inOneOrder(noted) : noted;
  const isAllowed =
    /^[\w #%.,()+-]+$/.test(value) &&
    !/(?<!rgba?|hsla?)\(/.test(value) &&
    !/^-[a-z]|mso|windowtext|\d(?:vw|vh)\b/.test(value) &&
    !emptyValue.test(value) &&
    ownDefault[property]?.test(value) !== true;
  return isAllowed ? value : null;
};

/** Reads declarations (CSS Syntax, 5.4.5) and keeps those of the allowlist, in one notation. */
export const cleanDeclarations = (css: string): ReadonlyMap<string, string> => {
  const kept = new Map<string, string>();
  for (const declaration of css.slice(0, maxStyleLength).split(";")) {
    const colon = declaration.indexOf(":");
    const property = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const raw = declaration
      .slice(colon + 1, colon + 1 + maxValueLength)
      .replaceAll(/\s+/g, " ")
      .trim();
    const value = allowedProperties.has(property) && raw !== "" ? cleanValue(property, raw) : null;
    if (value === null) continue;
    // The last of two declarations wins, and stands last.
    kept.delete(property);
    kept.set(property, value);
  }
  return kept;
};

/** Writes declarations as the value of a style attribute. */
export const writeDeclarations = (declarations: ReadonlyMap<string, string>): string =>
  [...declarations].map(([property, value]) => `${property}:${value}`).join(";");

/** Declarations by selector: an element, a class, or both (`p`, `.note`, `p.note`), in lower case. */
export type StyleRules = Map<string, ReadonlyMap<string, string>>;

const maxRules = 500;
const maxSheetLength = 256 * 1024;

/** The position after the block that begins at an opening brace. */
const endOfBlock = (css: string, open: number): number => {
  let depth = 0;
  for (let at = open; at < css.length; at += 1) {
    const character = css[at];
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return css.length;
};

/** Adds to `rules` the rules of a style element that have a simple selector; at-rules do not count. */
export const readStyleSheet = (sheet: string, rules: StyleRules): void => {
  const css = sheet
    .slice(0, maxSheetLength)
    .split("/*")
    .map((piece, n) => (n === 0 ? piece : piece.slice((piece.indexOf("*/") + 1 || piece.length) + 1)))
    .join(" ")
    .replaceAll(/<!--|-->/g, " ");
  let at = 0;
  for (let count = 0; count < maxRules; count += 1) {
    const open = css.indexOf("{", at);
    if (open === -1) return;
    const before = css.slice(at, open);
    // A statement such as @import ends before the selector.
    const selectors = before.slice(before.lastIndexOf(";") + 1).trim();
    const end = endOfBlock(css, open);
    if (!selectors.startsWith("@") && selectors.length < 2_000) {
      const declarations = cleanDeclarations(css.slice(open + 1, end - 1));
      for (const selector of selectors.toLowerCase().split(","))
        if (/^(?:[a-z]\w{0,15})?(?:\.[\w-]{1,60})?$/.test(selector.trim()))
          rules.set(selector.trim(), new Map([...(rules.get(selector.trim()) ?? []), ...declarations]));
    }
    at = end;
  }
};

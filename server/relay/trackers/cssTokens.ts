/** A token of CSS (CSS Syntax, 4), with its meaning after escapes and its offsets. */
export interface CssToken {
  /** A mark is a character of its own; the name of a function comes without its parenthesis. */
  readonly kind: "name" | "function" | "at" | "text" | "url" | "space" | "mark";
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

// None of these patterns can fail after its loop, so that none goes back over what it has read.
const escaped = String.raw`\\(?:(?:[\da-f]{6}|[\da-f]{1,5}(?![\da-f]))(?:\r\n|[ \t\r\n\f])?|[^\r\n\f\da-f])`;
const comment = /\/\*[\s\S]*?(?:\*\/|$)/y;
const space = /[ \t\r\n\f]+/y;
const name = new RegExp(String.raw`(?:[-\w\u0080-\uffff]+|${escaped})+`, "iy");
const text = /"(?:[^"\\\r\n\f]+|\\(?:\r\n|[\s\S]))*"?|'(?:[^'\\\r\n\f]+|\\(?:\r\n|[\s\S]))*'?/y;
const bareAddress = new RegExp(String.raw`(?:[^"'()\\ \t\r\n\f]+|${escaped})*`, "iy");
const untilClosed = /(?:[^)\\]+|\\[\s\S])*\)?/y;

const matchAt = (pattern: RegExp, css: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(css);
};

/** Reads the escapes of a name, an address or a text. */
const unescapeCss = (raw: string): string =>
  raw.includes("\\")
    ? raw.replaceAll(
        /\\(?:([\da-f]{1,6})(?:\r\n|[ \t\r\n\f])?|(\r\n|[\r\n\f])|([\s\S]))/gi,
        (_all, hex: string | undefined, line: string | undefined, character: string | undefined) => {
          if (line !== undefined) return "";
          const code = Number.parseInt(hex ?? "", 16);
          return hex === undefined
            ? (character ?? "")
            : String.fromCodePoint(code > 0x10ffff ? 0xfffd : code);
        },
      )
    : raw;

const afterSpace = (css: string, at: number): number => (matchAt(space, css, at) ? space.lastIndex : at);

/** Reads what follows the name `url`: an address without quotes, or a function with a text. */
const urlAt = (css: string, open: number): Pick<CssToken, "kind" | "value" | "end"> => {
  const first = afterSpace(css, open + 1);
  if (/["']/.test(css[first] ?? "")) return { kind: "function", value: "url", end: open + 1 };
  const address = matchAt(bareAddress, css, first)?.[0] ?? "";
  const last = afterSpace(css, first + address.length);
  if (last >= css.length || css[last] === ")")
    return { kind: "url", value: unescapeCss(address), end: Math.min(last + 1, css.length) };
  const rest = matchAt(untilClosed, css, last)?.[0] ?? "";
  return { kind: "mark", value: "", end: Math.max(last + rest.length, last + 1) };
};

const nameAt = (css: string, at: number): Pick<CssToken, "kind" | "value" | "end"> => {
  const value = unescapeCss(matchAt(name, css, at)?.[0] ?? "");
  const end = name.lastIndex;
  if (css[end] !== "(") return { kind: "name", value, end };
  return value.toLowerCase() === "url" ? urlAt(css, end) : { kind: "function", value, end: end + 1 };
};

const isNameStart = (css: string, at: number): boolean => {
  name.lastIndex = at;
  return /[-\w\\\u0080-\uffff]/.test(css[at] ?? "") && name.test(css);
};

const tokenAt = (css: string, at: number): Pick<CssToken, "kind" | "value" | "end"> => {
  const character = css[at] ?? "";
  if (isNameStart(css, at)) return nameAt(css, at);
  if (/[ \t\r\n\f]/.test(character)) return { kind: "space", value: " ", end: afterSpace(css, at) };
  if (/["']/.test(character)) {
    const quoted = matchAt(text, css, at)?.[0] ?? character;
    const isClosed = quoted.length > 1 && quoted.endsWith(character);
    const value = unescapeCss(quoted.slice(1, isClosed ? -1 : undefined));
    return { kind: "text", value, end: at + quoted.length };
  }
  if (character === "/" && matchAt(comment, css, at))
    return { kind: "space", value: "", end: comment.lastIndex };
  if (character === "@" && isNameStart(css, at + 1)) {
    const value = unescapeCss(matchAt(name, css, at + 1)?.[0] ?? "");
    return { kind: "at", value, end: name.lastIndex };
  }
  return { kind: "mark", value: character, end: at + 1 };
};

/** Reads CSS into tokens in linear time; a comment is a space without length. */
export const readCss = (css: string): readonly CssToken[] => {
  const tokens: CssToken[] = [];
  for (let at = 0; at < css.length; ) {
    const token = tokenAt(css, at);
    tokens.push({ ...token, start: at });
    at = token.end;
  }
  return tokens;
};

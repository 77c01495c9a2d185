import type { TextEdit } from "../../mime/quotedPrintable.ts";
import { type CssToken, readCss } from "./cssTokens.ts";

/** Functions whose texts are addresses, beside `url`. */
const loadingFunctions = new Set(["url", "src", "image", "image-set", "-webkit-image-set"]);

/** Style sheets and styles without these words load nothing. */
export const mayLoad = /url|import|image|src|\\/i;

/** Returns the end of a statement, with its semicolon, and the number of its last token. */
const endOfStatement = (
  tokens: readonly CssToken[],
  from: number,
): { readonly end: number; readonly last: number } => {
  for (let n = from; n < tokens.length; n += 1) {
    const { kind, value, start, end } = tokens[n] ?? { kind: "mark", value: ";", start: 0, end: 0 };
    if (kind === "mark" && value === ";") return { end, last: n };
    if (kind === "mark" && (value === "{" || value === "}")) return { end: start, last: n - 1 };
  }
  return { end: tokens.at(-1)?.end ?? 0, last: tokens.length - 1 };
};

/** Returns the address of an `@import` whose keyword is the token of this number. */
const importedAddress = (tokens: readonly CssToken[], keyword: number): string | null => {
  const next = tokens.slice(keyword + 1, keyword + 20).filter(({ kind }) => kind !== "space");
  const first = next[0]?.kind === "function" ? next[1] : next[0];
  return first?.kind === "text" || first?.kind === "url" ? first.value : null;
};

interface Reach {
  /** True if an address of a picture leads out of the mail. */
  readonly isRemote: (address: string) => boolean;
  /** True if an address of a style sheet does, which can load others itself. */
  readonly isRemoteSheet: (address: string) => boolean;
}

class LoadFinder {
  readonly edits: TextEdit[] = [];
  /** The functions around a token, with the place where they begin. */
  readonly #around: { readonly name: string; readonly start: number; isRemote: boolean }[] = [];
  readonly #reach: Reach;

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  /** Closes the innermost function; one that loads goes whole, with others in it. */
  close(end: number): void {
    const closed = this.#around.pop();
    if (!closed?.isRemote) return;
    while ((this.edits.at(-1)?.start ?? -1) >= closed.start) this.edits.pop();
    this.edits.push({ start: closed.start, end, text: "none" });
  }

  closeAll(end: number): void {
    while (this.#around.length > 0) this.close(end);
  }

  #addText(text: string): void {
    const inner = this.#around.at(-1);
    if (inner && loadingFunctions.has(inner.name)) inner.isRemote ||= this.#reach.isRemote(text);
  }

  add({ kind, value, start, end }: CssToken): void {
    if (kind === "url" && this.#reach.isRemote(value)) this.edits.push({ start, end, text: "none" });
    else if (kind === "text") this.#addText(value);
    else if (kind === "function") this.#around.push({ name: value.toLowerCase(), start, isRemote: false });
    else if (kind === "mark" && value === "(") this.#around.push({ name: "", start, isRemote: false });
    else if (kind === "mark" && value === ")") this.close(end);
  }

  /** Reads an `@import` and returns the number of its last token. */
  addImport(tokens: readonly CssToken[], keyword: number): number {
    const { end, last } = endOfStatement(tokens, keyword);
    const address = importedAddress(tokens, keyword);
    // A name before it does not go on behind it.
    const text = tokens[keyword - 1]?.kind === "name" ? " " : "";
    if (address !== null && this.#reach.isRemoteSheet(address))
      this.edits.push({ start: tokens[keyword]?.start ?? end, end, text });
    return last;
  }
}

/** Finds what CSS loads: an imported style sheet goes with its statement, of another address `none` remains. */
export const findCssLoads = (css: string, reach: Reach): readonly TextEdit[] => {
  if (!mayLoad.test(css)) return [];
  const tokens = readCss(css);
  const finder = new LoadFinder(reach);
  for (let n = 0; n < tokens.length; n += 1) {
    const token = tokens[n];
    const keyword = token?.kind === "at" ? token.value.toLowerCase() : "";
    if (keyword === "import") n = finder.addImport(tokens, n);
    // The name of a namespace is never loaded.
    else if (keyword === "namespace") n = endOfStatement(tokens, n).last;
    else if (token) finder.add(token);
  }
  finder.closeAll(css.length);
  return finder.edits;
};

import { type TokenHandler, Tokenizer, TokenizerMode } from "parse5";
import { type AttributeContext, attributesOf, isPixel, styleOf } from "./htmlAttributes.ts";
import { type ElementNode, layoutOf } from "./htmlNodes.ts";
import { readStyleSheet } from "./replyStyle.ts";

/** The names of elements that are kept, and those that they are written as. */
const names: Readonly<Record<string, string>> = {
  a: "a",
  abbr: "abbr",
  acronym: "abbr",
  address: "div",
  article: "div",
  aside: "div",
  b: "b",
  big: "big",
  blockquote: "blockquote",
  br: "br",
  caption: "caption",
  center: "center",
  cite: "cite",
  code: "code",
  col: "col",
  colgroup: "colgroup",
  dd: "dd",
  del: "del",
  details: "div",
  dfn: "dfn",
  dir: "ul",
  div: "div",
  dl: "dl",
  dt: "dt",
  em: "em",
  fieldset: "div",
  figcaption: "div",
  figure: "div",
  font: "font",
  footer: "div",
  form: "div",
  h1: "h1",
  h2: "h2",
  h3: "h3",
  h4: "h4",
  h5: "h5",
  h6: "h6",
  header: "div",
  hgroup: "div",
  hr: "hr",
  i: "i",
  img: "img",
  image: "img",
  ins: "ins",
  kbd: "kbd",
  legend: "div",
  li: "li",
  listing: "pre",
  main: "div",
  mark: "mark",
  menu: "ul",
  nav: "div",
  ol: "ol",
  p: "p",
  plaintext: "pre",
  pre: "pre",
  q: "q",
  s: "s",
  samp: "samp",
  section: "div",
  small: "small",
  span: "span",
  strike: "s",
  strong: "strong",
  sub: "sub",
  summary: "div",
  sup: "sup",
  table: "table",
  tbody: "tbody",
  td: "td",
  tfoot: "tfoot",
  th: "th",
  thead: "thead",
  tr: "tr",
  tt: "code",
  u: "u",
  ul: "ul",
  var: "var",
  xmp: "pre",
};

/** Elements that go with everything inside. */
const droppedContents = new Set(
  "applet audio canvas frameset map math object select svg template video".split(" "),
);

/** Elements whose contents are text, and how it is read (HTML, 13.2.5). */
const textModes: Readonly<Record<string, Tokenizer["state"]>> = {
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  plaintext: TokenizerMode.PLAINTEXT,
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  textarea: TokenizerMode.RCDATA,
  title: TokenizerMode.RCDATA,
  xmp: TokenizerMode.RAWTEXT,
};

const maxDepth = 200;

const closesParagraph = (name: string): boolean =>
  layoutOf(name) === "block" || name === "table" || name === "hr";

/** Open elements that end where another begins, up to the nearest of the second list. */
const impliedEnds: Readonly<Record<string, readonly [closed: readonly string[], within: readonly string[]]>> =
  {
    li: [["li"], ["ul", "ol"]],
    dd: [["dd", "dt"], ["dl"]],
    dt: [["dd", "dt"], ["dl"]],
    a: [["a"], []],
  };

const element = (name: string, isPre: boolean): ElementNode => ({
  kind: "element",
  name,
  attributes: [],
  children: [],
  isPre,
  isDropped: false,
});

const cellsAndTables = ["td", "th", "caption", "table"];

/**
 * Builds a tree of allowed elements with allowed attributes from tags, in linear time: deeper elements than browsers
 * need are left out, their contents stay.
 */
class TreeBuilder {
  readonly #context: AttributeContext;
  readonly root = element("body", false);
  readonly #stack: ElementNode[];
  /** End tags that belong to elements left out. */
  readonly #ignored = new Map<string, number>();

  constructor(context: AttributeContext) {
    this.#context = context;
    this.#stack = [this.root];
  }

  #top(): ElementNode {
    return this.#stack.at(-1) ?? this.root;
  }

  /** The position of the nearest open element with a name, up to an element of the second list; or -1. */
  #findOpen(wanted: readonly string[], within: readonly string[]): number {
    for (let n = this.#stack.length - 1; n > 0; n -= 1) {
      const { name } = this.#stack[n] ?? this.root;
      if (wanted.includes(name)) return n;
      if (within.includes(name)) return -1;
    }
    return -1;
  }

  #popTo(index: number): void {
    if (index > 0) this.#stack.length = index;
  }

  #push(node: ElementNode): void {
    this.#top().children.push(node);
    this.#stack.push(node);
  }

  /** Opens a cell where text or another element would stand between the cells of a table. */
  #ensureCell(): void {
    if (this.#top().name === "colgroup") this.#stack.pop();
    if (layoutOf(this.#top().name) === "table" || layoutOf(this.#top().name) === "row group")
      this.#push(element("tr", false));
    if (layoutOf(this.#top().name) === "row") this.#push(element("td", false));
  }

  /** Closes what must end before a part of a table; false outside of tables. */
  #openInTable(name: string): boolean {
    const parents = {
      cell: ["tr", "tbody", "thead", "tfoot", "table"],
      row: ["tbody", "thead", "tfoot", "table"],
    };
    const layout = layoutOf(name);
    const allowed =
      name === "col"
        ? ["colgroup", "table"]
        : layout === "row" || (layout === "cell" && name !== "caption")
          ? parents[layout]
          : ["table"];
    const index = this.#findOpen(allowed, []);
    if (index === -1) return false;
    this.#stack.length = index + 1;
    if (layout === "cell" && name !== "caption" && layoutOf(this.#top().name) !== "row")
      this.#push(element("tr", false));
    return true;
  }

  #isPartOfTable(name: string): boolean {
    return ["cell", "row", "row group"].includes(layoutOf(name)) || name === "col";
  }

  #closeImplied(name: string): void {
    const ends = impliedEnds[name];
    if (ends) this.#popTo(this.#findOpen(ends[0], [...ends[1], ...cellsAndTables]));
    if (closesParagraph(name)) this.#popTo(this.#findOpen(["p"], cellsAndTables));
  }

  #appendBreak(): void {
    this.#top().children.push({ kind: "text", text: "\n", isBreak: true, endsInSpace: true });
  }

  #appendPiece(text: string, endsInSpace: boolean): void {
    const { children } = this.#top();
    const last = children.at(-1);
    if (last?.kind !== "text" || last.isBreak) {
      if (text !== "") children.push({ kind: "text", text, isBreak: false, endsInSpace });
    } else if (text !== " " || !last.endsInSpace) {
      last.text += text;
      last.endsInSpace = endsInSpace;
    }
  }

  /** Adds a text or white space. */
  appendText(text: string, isSpace: boolean): void {
    const isBetweenCells = ["table", "row group", "row"].includes(layoutOf(this.#top().name));
    if (this.#top().isDropped || (isBetweenCells && isSpace)) return;
    this.#ensureCell();
    if (!this.#top().isPre) {
      // A mark of the byte order is no text, and some programs leave one in what they quote.
      this.#appendPiece(isSpace ? " " : text.replaceAll("\ufeff", ""), isSpace);
      return;
    }
    for (const [n, line] of text.split("\n").entries()) {
      if (n > 0) this.#appendBreak();
      this.#appendPiece(line, false);
    }
  }

  #createElement(tag: string, name: string, values: ReadonlyMap<string, string>): ElementNode | null {
    const style = styleOf(tag, values, this.#context);
    if (name === "img" && isPixel(values, style)) return null;
    // A block that is only indented is no quote.
    const isIndent =
      name === "blockquote" && !values.has("type") && /none|^0/.test(style.get("border") ?? "");
    const written = isIndent ? "div" : name;
    const whiteSpace = style.get("white-space");
    const isPre =
      whiteSpace === undefined ? name === "pre" || this.#top().isPre : /^(?:pre|break)/.test(whiteSpace);
    return {
      ...element(written, isPre),
      attributes: attributesOf(written, values, style, this.#context),
      isDropped: this.#top().isDropped || style.get("display") === "none",
    };
  }

  /** Blocks end a drawing or a formula, as in browsers. */
  #leaveForeign(tag: string): void {
    if (this.#top().isDropped && !/^(?:a|font|image|title|style)$/.test(tag))
      this.#popTo(this.#findOpen(["svg", "math"], []));
  }

  /** The place of an element in the tree; false when it has none. */
  #prepare(tag: string, name: string): boolean {
    this.#leaveForeign(tag);
    if (this.#isPartOfTable(name)) return this.#openInTable(name);
    if (tag === "form" && ["table", "row group", "row"].includes(layoutOf(this.#top().name))) return false;
    this.#closeImplied(name);
    this.#ensureCell();
    return true;
  }

  /** Leaves out an element that is too deep; its contents stay. */
  #ignore(name: string): void {
    this.#ignored.set(name, (this.#ignored.get(name) ?? 0) + 1);
    if (layoutOf(name) !== "inline") this.#appendBreak();
  }

  open(tag: string, name: string, values: ReadonlyMap<string, string>): void {
    if (!this.#prepare(tag, name)) return;
    const isVoid = layoutOf(name) === "void";
    if (name === "br") this.#appendBreak();
    else if (this.#stack.length >= maxDepth && !isVoid) this.#ignore(name);
    else {
      const node = this.#createElement(tag, name, values);
      if (node && isVoid) this.#top().children.push(node);
      else if (node) this.#push(node);
    }
  }

  close(name: string): void {
    const count = this.#ignored.get(name) ?? 0;
    if (count > 0) {
      this.#ignored.set(name, count - 1);
      return;
    }
    const within = this.#isPartOfTable(name) ? ["table"] : cellsAndTables;
    this.#popTo(this.#findOpen([name], name === "table" ? [] : within));
  }

  /** Leaves out an element with its contents, up to its end tag or that of an element around it. */
  openDropped(name: string): void {
    if (this.#stack.length < maxDepth) this.#push({ ...element(name, false), isDropped: true });
  }
}

/** Reads HTML as browsers do (HTML, 13.2.5) into a tree of what is allowed. */
export const readTree = (html: string, context: AttributeContext): ElementNode => {
  const builder = new TreeBuilder(context);
  /** The element whose text is not shown, and this text. */
  let unseen: { readonly name: string; text: string } | null = null;
  const onText = (chars: string, isSpace: boolean): void => {
    if (unseen === null) builder.appendText(chars, isSpace);
    else unseen.text += chars;
  };
  const handler: TokenHandler = {
    onStartTag: ({ tagName, attrs }) => {
      const mode = textModes[tagName];
      const name = Object.hasOwn(names, tagName) ? (names[tagName] ?? "") : "";
      if (mode !== undefined) tokenizer.state = mode;
      if (mode !== undefined && name === "") unseen = { name: tagName, text: "" };
      else if (droppedContents.has(tagName)) builder.openDropped(tagName);
      const values = new Map(attrs.map((attribute) => [attribute.name, attribute.value]));
      if (tagName === "body" && builder.root.attributes.length === 0)
        builder.root.attributes = attributesOf("body", values, styleOf("body", values, context), context);
      else if (name !== "") builder.open(tagName, name, values);
    },
    onEndTag: ({ tagName }) => {
      if (unseen?.name === tagName) {
        if (tagName === "style") readStyleSheet(unseen.text, context.rules);
        unseen = null;
      } else if (tagName === "br") builder.open("br", "br", new Map());
      else if (droppedContents.has(tagName)) builder.close(tagName);
      else if (Object.hasOwn(names, tagName)) builder.close(names[tagName] ?? "");
    },
    onCharacter: ({ chars }) => onText(chars, false),
    onWhitespaceCharacter: ({ chars }) => onText(chars, true),
    onNullCharacter: () => {},
    onComment: () => {},
    onDoctype: () => {},
    onEof: () => {},
  };
  const tokenizer = new Tokenizer({}, handler);
  tokenizer.write(html, true);
  return builder.root;
};

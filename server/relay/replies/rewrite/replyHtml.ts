import { type TokenHandler, Tokenizer, TokenizerMode } from "parse5";
import { findDefaultSignatures } from "./defaultSignatures.ts";
import { type Piece, replaceInRun } from "./replaceInRun.ts";
import { cleanLink, cleanPicture, type LinkContext, unwrapLinks } from "./replyLinks.ts";
import {
  cleanDeclarations,
  genericFamily,
  readStyleSheet,
  type StyleRules,
  writeDeclarations,
} from "./replyStyle.ts";

/** How an element takes part in the layout. */
type Layout = "block" | "inline" | "table" | "row group" | "row" | "cell" | "void";

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

const layouts: Readonly<Record<string, Layout>> = Object.fromEntries([
  ...["br", "col", "hr", "img"].map((name) => [name, "void"] as const),
  ...["tbody", "thead", "tfoot", "colgroup"].map((name) => [name, "row group"] as const),
  ...["td", "th", "caption"].map((name) => [name, "cell"] as const),
  ["table", "table"] as const,
  ["tr", "row"] as const,
  ...[
    ...["blockquote", "center", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "li", "ol", "p"],
    ...["pre", "ul"],
  ].map((name) => [name, "block"] as const),
]);

const layoutOf = (name: string): Layout => layouts[name] ?? "inline";

interface TextNode {
  readonly kind: "text";
  text: string;
  /** Whether it is a line break, by an element or where white space is shown as it is. */
  readonly isBreak: boolean;
  /** Whether more white space would not be shown; asking the text itself would copy it each time. */
  endsInSpace: boolean;
}

interface ElementNode {
  readonly kind: "element";
  readonly name: string;
  attributes: readonly (readonly [string, string])[];
  readonly children: HtmlNode[];
  /** Whether white space is shown as it is. */
  readonly isPre: boolean;
  /** Whether it is left out with its contents. */
  isDropped: boolean;
}

type HtmlNode = TextNode | ElementNode;

/** What is known while the attributes of elements are read. */
interface AttributeContext extends LinkContext {
  readonly rules: StyleRules;
  /** The characters that style rules may still add. */
  budget: number;
  /** Whether the text has letters that are written from right to left. */
  readonly isBidirectional: boolean;
}

const length = /^\d{1,4}(?:\.\d{1,4})?(?:%|px)?$/;
const number = /^-?\d{1,5}$/;
const color = /^(?:#[0-9a-f]{3,8}|(?!windowtext)[a-z]{3,20})$/i;
const word = /^[a-z]{1,10}$/i;

/** Attributes by name, with the form of their values, and the elements that have them. */
const plainAttributes: Readonly<Record<string, readonly [RegExp, RegExp]>> = {
  align: [
    /^(?:left|right|center|justify|middle|top|bottom)$/i,
    /^(?:div|p|h\d|t[dhr]|table|img|hr|t\w+|col\w*|caption)$/,
  ],
  bgcolor: [color, /^(?:t[dhr]|table|tbody|body)$/],
  border: [number, /^(?:table|img)$/],
  cellpadding: [number, /^table$/],
  cellspacing: [number, /^table$/],
  color: [color, /^font$/],
  colspan: [number, /^t[dh]$/],
  height: [length, /^(?:img|t[dhr]|table)$/],
  hspace: [number, /^img$/],
  nowrap: [/^/, /^t[dh]$/],
  rowspan: [number, /^t[dh]$/],
  size: [/^[+-]?\d$/, /^(?:font|hr)$/],
  span: [number, /^col/],
  start: [number, /^ol$/],
  type: [/^(?:[1aAiI]|disc|circle|square)$/, /^(?:[ou]l|li)$/],
  valign: [word, /^(?:t\w+|col)$/],
  value: [number, /^li$/],
  vspace: [number, /^img$/],
  width: [length, /^(?:img|t[dh]|table|col\w*|hr)$/],
};

/** Paths on the author's machine, and descriptions that a program adds. */
const revealingTitle =
  /^(?:file:|[a-z]:[\\/]|\\\\)|automatically generated|automatisch generiert|AI-generated content/i;

const quoteStyle = "margin:0 0 0 0.8em;border-left:2px solid #cccccc;padding-left:0.8em";

const maxClasses = 10;

/** The declarations of an element from the style sheets and from its own style. */
const styleOf = (
  tag: string,
  values: ReadonlyMap<string, string>,
  context: AttributeContext,
): ReadonlyMap<string, string> => {
  const own = cleanDeclarations(values.get("style") ?? "");
  if (context.rules.size === 0 || context.budget <= 0) return own;
  const classes = (values.get("class") ?? "").slice(0, 1_000).toLowerCase().split(/\s+/, maxClasses);
  const selectors = [tag, ...classes.map((one) => `.${one}`), ...classes.map((one) => `${tag}.${one}`)];
  const found = selectors.flatMap((selector) => [...(context.rules.get(selector) ?? [])]);
  context.budget -= found.reduce((sum, [property, value]) => sum + property.length + value.length + 2, 0);
  return found.length === 0 ? own : new Map([...found, ...own]);
};

const isTiny = (value: string | undefined): boolean => /^[01](?:\.\d+)?(?:px)?$/.test(value ?? "");

/** An image of at most one pixel reports when it is loaded. */
const isPixel = (values: ReadonlyMap<string, string>, style: ReadonlyMap<string, string>): boolean =>
  ["width", "height"].some((name) => isTiny(values.get(name)?.trim()) || isTiny(style.get(name))) ||
  ["max-width", "max-height"].some((name) => isTiny(style.get(name)));

const titleOf = (text: string, { replaceHidden }: AttributeContext): string =>
  text.length > 1_000 || revealingTitle.test(text.trim()) ? "" : replaceHidden(unwrapLinks(text));

/** The type of a list depends on the case. */
const inOneCase = (attribute: string, value: string): string => {
  if (attribute === "nowrap") return "";
  return attribute === "type" ? value : value.toLowerCase();
};

type Attributes = readonly (readonly [string, string])[];

const plainOf = (name: string, values: ReadonlyMap<string, string>): Attributes =>
  [...values].flatMap(([attribute, raw]) => {
    const [form, elements] = Object.hasOwn(plainAttributes, attribute)
      ? (plainAttributes[attribute] ?? [])
      : [];
    const value = raw.trim();
    return form?.test(value) && elements?.test(name)
      ? [[attribute, inOneCase(attribute, value)] as const]
      : [];
  });

const linksOf = (
  name: string,
  values: ReadonlyMap<string, string>,
  context: AttributeContext,
): Attributes => {
  const [attribute, link] =
    name === "a"
      ? ["href", cleanLink(values.get("href") ?? "", context)]
      : ["src", name === "img" ? cleanPicture(values.get("src") ?? "", context) : null];
  return link === null ? [] : [[attribute, link]];
};

const attributesOf = (
  name: string,
  values: ReadonlyMap<string, string>,
  style: ReadonlyMap<string, string>,
  context: AttributeContext,
): Attributes => {
  const dir = /^(?:rtl|ltr|auto)$/i.exec(values.get("dir") ?? "")?.[0];
  const face = values.get("face");
  const titles = name === "img" ? ["alt", "title"] : ["title"];
  const isQuote = name === "blockquote";
  const ownStyle = name === "hr" ? "" : writeDeclarations(style);
  const written = isQuote ? quoteStyle : ownStyle;
  return [
    ...linksOf(name, values, context),
    ...titles.flatMap((title) => {
      const text = titleOf(values.get(title) ?? "", context);
      return text === "" && title !== "alt" ? [] : [[title, text] as const];
    }),
    ...plainOf(name, values),
    ...(name === "font" && face !== undefined ? [["face", genericFamily(face)] as const] : []),
    ...(isQuote ? [["type", "cite"] as const] : []),
    ...(written === "" ? [] : [["style", written] as const]),
    ...(dir !== undefined && context.isBidirectional ? [["dir", dir.toLowerCase()] as const] : []),
  ];
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

/**
 * Builds a tree of allowed elements with allowed attributes from tags, in linear time: deeper elements than browsers
 * need are left out, their contents stay.
 */
const createBuilder = (context: AttributeContext) => {
  const root = element("body", false);
  const stack: ElementNode[] = [root];
  /** End tags that belong to elements left out. */
  const ignored = new Map<string, number>();
  const top = (): ElementNode => stack.at(-1) ?? root;

  /** The position of the nearest open element with a name, up to an element of the second list; or -1. */
  const findOpen = (wanted: readonly string[], within: readonly string[]): number => {
    for (let n = stack.length - 1; n > 0; n -= 1) {
      const { name } = stack[n] ?? root;
      if (wanted.includes(name)) return n;
      if (within.includes(name)) return -1;
    }
    return -1;
  };
  const popTo = (index: number): void => {
    if (index > 0) stack.length = index;
  };
  const push = (node: ElementNode): void => {
    top().children.push(node);
    stack.push(node);
  };

  const cellsAndTables = ["td", "th", "caption", "table"];
  /** Opens a cell where text or another element would stand between the cells of a table. */
  const ensureCell = (): void => {
    if (top().name === "colgroup") stack.pop();
    if (layoutOf(top().name) === "table" || layoutOf(top().name) === "row group") push(element("tr", false));
    if (layoutOf(top().name) === "row") push(element("td", false));
  };

  /** Closes what must end before a part of a table; false outside of tables. */
  const openInTable = (name: string): boolean => {
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
    const index = findOpen(allowed, []);
    if (index === -1) return false;
    stack.length = index + 1;
    if (layout === "cell" && name !== "caption" && layoutOf(top().name) !== "row") push(element("tr", false));
    return true;
  };

  const isPartOfTable = (name: string): boolean =>
    ["cell", "row", "row group"].includes(layoutOf(name)) || name === "col";

  const closeImplied = (name: string): void => {
    const ends = impliedEnds[name];
    if (ends) popTo(findOpen(ends[0], [...ends[1], ...cellsAndTables]));
    if (closesParagraph(name)) popTo(findOpen(["p"], cellsAndTables));
  };

  const appendBreak = (): void => {
    top().children.push({ kind: "text", text: "\n", isBreak: true, endsInSpace: true });
  };
  const appendPiece = (text: string, endsInSpace: boolean): void => {
    const { children } = top();
    const last = children.at(-1);
    if (last?.kind !== "text" || last.isBreak) {
      if (text !== "") children.push({ kind: "text", text, isBreak: false, endsInSpace });
    } else if (text !== " " || !last.endsInSpace) {
      last.text += text;
      last.endsInSpace = endsInSpace;
    }
  };

  /** Adds a text or white space. */
  const appendText = (text: string, isSpace: boolean): void => {
    const isBetweenCells = ["table", "row group", "row"].includes(layoutOf(top().name));
    if (top().isDropped || (isBetweenCells && isSpace)) return;
    ensureCell();
    if (!top().isPre) {
      // A mark of the byte order is no text, and some programs leave one in what they quote.
      appendPiece(isSpace ? " " : text.replaceAll("\ufeff", ""), isSpace);
      return;
    }
    for (const [n, line] of text.split("\n").entries()) {
      if (n > 0) appendBreak();
      appendPiece(line, false);
    }
  };

  const createElement = (
    tag: string,
    name: string,
    values: ReadonlyMap<string, string>,
  ): ElementNode | null => {
    const style = styleOf(tag, values, context);
    if (name === "img" && isPixel(values, style)) return null;
    // A block that is only indented is no quote.
    const isIndent =
      name === "blockquote" && !values.has("type") && /none|^0/.test(style.get("border") ?? "");
    const written = isIndent ? "div" : name;
    const whiteSpace = style.get("white-space");
    const isPre =
      whiteSpace === undefined ? name === "pre" || top().isPre : /^(?:pre|break)/.test(whiteSpace);
    return {
      ...element(written, isPre),
      attributes: attributesOf(written, values, style, context),
      isDropped: top().isDropped || style.get("display") === "none",
    };
  };

  /** Blocks end a drawing or a formula, as in browsers. */
  const leaveForeign = (tag: string): void => {
    if (top().isDropped && !/^(?:a|font|image|title|style)$/.test(tag)) popTo(findOpen(["svg", "math"], []));
  };

  /** The place of an element in the tree; false when it has none. */
  const prepare = (tag: string, name: string): boolean => {
    leaveForeign(tag);
    if (isPartOfTable(name)) return openInTable(name);
    if (tag === "form" && ["table", "row group", "row"].includes(layoutOf(top().name))) return false;
    closeImplied(name);
    ensureCell();
    return true;
  };

  /** Leaves out an element that is too deep; its contents stay. */
  const ignore = (name: string): void => {
    ignored.set(name, (ignored.get(name) ?? 0) + 1);
    if (layoutOf(name) !== "inline") appendBreak();
  };

  const open = (tag: string, name: string, values: ReadonlyMap<string, string>): void => {
    if (!prepare(tag, name)) return;
    const isVoid = layoutOf(name) === "void";
    if (name === "br") appendBreak();
    else if (stack.length >= maxDepth && !isVoid) ignore(name);
    else {
      const node = createElement(tag, name, values);
      if (node && isVoid) top().children.push(node);
      else if (node) push(node);
    }
  };

  const close = (name: string): void => {
    const count = ignored.get(name) ?? 0;
    if (count > 0) {
      ignored.set(name, count - 1);
      return;
    }
    const within = isPartOfTable(name) ? ["table"] : cellsAndTables;
    popTo(findOpen([name], name === "table" ? [] : within));
  };

  return {
    root,
    open,
    close,
    appendText,
    /** Leaves out an element with its contents, up to its end tag or that of an element around it. */
    openDropped: (name: string): void => {
      if (stack.length < maxDepth) push({ ...element(name, false), isDropped: true });
    },
  };
};

/** Reads HTML as browsers do (HTML, 13.2.5) into a tree of what is allowed. */
const readTree = (html: string, context: AttributeContext): ElementNode => {
  const builder = createBuilder(context);
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

interface Run {
  readonly lines: Piece[][];
  /** The pictures of each line. */
  readonly pictures: ElementNode[][];
}

/** Collects the texts that a reader sees as one: those of inline elements, up to the next block or cell. */
const collectRuns = (root: ElementNode): readonly Run[] => {
  const runs: Run[] = [];
  let run: Run = { lines: [[]], pictures: [[]] };
  const endRun = (): void => {
    if (run.lines.length > 1 || (run.lines[0] ?? []).length > 0) runs.push(run);
    run = { lines: [[]], pictures: [[]] };
  };
  const addText = (node: TextNode): void => {
    run.lines.at(-1)?.push({
      text: node.text,
      write: (text) => {
        node.text = text;
      },
    });
    if (!node.isBreak) return;
    run.lines.push([]);
    run.pictures.push([]);
  };
  const visit = (node: HtmlNode): void => {
    if (node.kind === "text") addText(node);
    else if (node.name === "img") run.pictures.at(-1)?.push(node);
    else if (!node.isDropped) {
      const isInline = layoutOf(node.name) === "inline";
      if (!isInline) endRun();
      node.children.forEach(visit);
      if (!isInline) endRun();
    }
  };
  visit(root);
  endRun();
  return runs;
};

const textOf = (run: Run): string =>
  run.lines
    .flat()
    .map(({ text }) => text)
    .join("");

/** Removes the default signatures, and the separator in the block before. */
const removeSignatures = (runs: readonly Run[]): readonly Run[] =>
  runs.map((run, n) => {
    const { lines, pictures } = run;
    const signatures = findDefaultSignatures(lines.map((line) => line.map(({ text }) => text).join("")));
    if (signatures.size === 0) return run;
    const before = runs[n - 1];
    const separator =
      signatures.has(0) && before && textOf(before).trim() === "--" ? before.lines.flat() : [];
    for (const piece of [...separator, ...lines.filter((_line, at) => signatures.has(at)).flat()])
      piece.write("");
    for (const picture of pictures.filter((_some, at) => signatures.has(at)).flat()) picture.isDropped = true;
    return { lines: lines.filter((_line, at) => !signatures.has(at)), pictures: [] };
  });

const escapeText = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\u00a0", "&nbsp;");

const escapeValue = (text: string): string => escapeText(text).replaceAll('"', "&quot;");

const writeImage = ({ attributes }: ElementNode, tag: string): string =>
  attributes.some(([name]) => name === "src")
    ? tag
    : escapeText(attributes.find(([name]) => name === "alt")?.[1] ?? "");

/** Elements that are shown although they are empty. */
const isShownEmpty = (name: string): boolean =>
  ["cell", "row", "row group", "void"].includes(layoutOf(name)) || name === "li" || name === "body";

const writeNode = (node: HtmlNode, isPre: boolean): string => {
  if (node.kind === "text") {
    const text = escapeText(node.text);
    return isPre ? text : text.replaceAll("\n", "<br>");
  }
  if (node.isDropped) return "";
  const { name, attributes } = node;
  const tag = `<${[name, ...attributes.map(([key, value]) => `${key}="${escapeValue(value)}"`)].join(" ")}>`;
  if (name === "img") return writeImage(node, tag);
  if (layoutOf(name) === "void") return tag;
  const contents = node.children.map((child) => writeNode(child, node.isPre)).join("");
  const isInline = layoutOf(name) === "inline";
  if (contents === "" && !isShownEmpty(name) && (isInline || attributes.length === 0)) return "";
  if (attributes.length === 0 && /^(?:span|font|a)$/.test(name)) return contents;
  return `${tag}${contents}</${name}>`;
};

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|\bdir\s?=\s?["']?rtl/i;

/**
 * Writes HTML anew for others, in linear time and at most a few times as long: only elements, attributes and styles
 * that show the text remain, so that neither the author's mail program nor account can be recognized. `replace` gets
 * decoded text as a reader sees it, up to the next block; `renameId` the ids of parts and mails in links (RFC 2392).
 */
export const rewriteHtml = (html: string, { replace, replaceHidden, renameId }: LinkContext): string => {
  const root = readTree(html, {
    replace,
    replaceHidden,
    renameId,
    rules: new Map(),
    budget: html.length + 16_384,
    isBidirectional: rightToLeft.test(html),
  });
  for (const { lines } of removeSignatures(collectRuns(root)))
    replaceInRun(lines, (text) => replace(unwrapLinks(text)));
  return `<!DOCTYPE html>\n<html><head><meta charset="utf-8"></head>${writeNode(root, false)}</html>\n`;
};

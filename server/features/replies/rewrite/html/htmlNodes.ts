/** The part that an element has in the layout. */
type Layout = "block" | "inline" | "table" | "row group" | "row" | "cell" | "void";

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

export const layoutOf = (name: string): Layout => layouts[name] ?? "inline";

export interface TextNode {
  readonly kind: "text";
  text: string;
  /** True for a line break, by an element or where white space is shown as it is. */
  readonly isBreak: boolean;
  /** True if more white space would not be shown; asking the text itself would copy it each time. */
  endsInSpace: boolean;
}

export interface ElementNode {
  readonly kind: "element";
  readonly name: string;
  attributes: readonly (readonly [string, string])[];
  readonly children: HtmlNode[];
  /** True if white space is shown as it is. */
  readonly isPre: boolean;
  /** True if it is left out with its contents. */
  isDropped: boolean;
}

export type HtmlNode = TextNode | ElementNode;

import {
  html as dialect,
  Parser,
  type Token,
  Tokenizer,
  type TreeAdapter,
  type TreeAdapterTypeMap,
} from "parse5";

/** The most levels of elements; browsers stop at 512. */
const maxDepth = 512;
/** The most elements, which bounds the work for a mail. */
const maxElements = 100_000;

/** An attribute as a browser reads it, with the offsets of all of it in the text. */
export interface HtmlAttribute {
  /** In lower case, with its prefix. */
  readonly name: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** A start tag, and the element that it makes. */
export interface HtmlTag {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly token: Token.TagToken;
  /** The first element of this tag; null when a browser makes none. */
  element: HtmlElement | null;
}

/** An element; implied ones have no tag. */
export interface HtmlElement {
  readonly name: string;
  readonly namespace: dialect.NS;
  readonly attributes: Token.Attribute[];
  readonly tag: HtmlTag | null;
  parent: HtmlElement | null;
  children: Set<HtmlElement> | null;
  /** The text of a style sheet as read, and its offsets. */
  style: { text: string; readonly start: number; end: number } | null;
}

/** A comment, by the offsets of its text. */
export interface HtmlComment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The elements that a browser finds in HTML, in the order of the text. */
export interface HtmlTags {
  readonly tags: readonly HtmlTag[];
  readonly styles: readonly HtmlElement[];
  readonly comments: readonly HtmlComment[];
  /** True if a tag has an attribute twice, of which browsers read the first. */
  readonly hasRepeated: boolean;
}

type Nodes = TreeAdapterTypeMap<
  HtmlElement,
  HtmlElement,
  HtmlElement,
  HtmlElement,
  HtmlElement,
  HtmlElement,
  HtmlElement,
  HtmlElement,
  HtmlElement,
  HtmlElement
>;

class TooLarge extends Error {}

const createElement = (
  name: string,
  namespace: dialect.NS,
  attributes: Token.Attribute[],
  tag: HtmlTag | null,
): HtmlElement => ({
  name,
  namespace,
  attributes,
  tag,
  parent: null,
  children: null,
  style: null,
});

const createNode = (): HtmlElement => createElement("", dialect.NS.HTML, [], null);

/** Returns the element of a tag; one outside of the tree when a browser makes none. */
export const elementOf = (tag: HtmlTag): HtmlElement => {
  const element = tag.element ?? createElement(tag.name, dialect.NS.HTML, tag.token.attrs, tag);
  tag.element = element;
  return element;
};

export const isHtml = ({ namespace }: HtmlElement): boolean => namespace === dialect.NS.HTML;

/** The name of an attribute as it is found in the text: in lower case, with its prefix. */
const nameOf = ({ prefix, name }: Token.Attribute): string =>
  (prefix === undefined ? name : `${prefix}:${name}`).toLowerCase();

/** Returns an attribute's value as a browser reads it. */
export const attributeOf = ({ attributes }: HtmlElement, name: string): string | undefined => {
  for (const attribute of attributes) if (attribute.name === name) return attribute.value;
  return undefined;
};

/** Returns the attributes of a tag that a test of name and value selects. */
export const attributesOf = (
  { token: { attrs, location } }: HtmlTag,
  isWanted: (name: string, value: string) => boolean,
): readonly HtmlAttribute[] => {
  const found: HtmlAttribute[] = [];
  for (const attribute of attrs) {
    const { value } = attribute;
    const name = nameOf(attribute);
    if (!isWanted(name, value)) continue;
    const range = location?.attrs?.[name];
    found.push({ name, value, start: range?.startOffset ?? 0, end: range?.endOffset ?? 0 });
  }
  return found;
};

const detach = (node: HtmlElement): void => {
  node.parent?.children?.delete(node);
  node.parent = null;
};

/** Siblings have no order: what matters is which element is in which. */
const attach = (parent: HtmlElement, node: HtmlElement): void => {
  node.parent = parent;
  parent.children ??= new Set();
  parent.children.add(node);
};

/** Keeps of the tree which element is in which, by tags; the parser gives the attributes of a tag to its elements. */
class TagReader {
  readonly tags: HtmlTag[] = [];
  readonly styles: HtmlElement[] = [];
  readonly comments: HtmlComment[] = [];
  hasRepeated = false;
  /** The place of the text that is inserted next. */
  text: Token.Location | null = null;
  readonly #byAttributes = new Map<readonly Token.Attribute[], HtmlTag>();
  readonly #ignored = createNode();
  #mode = dialect.DOCUMENT_MODE.NO_QUIRKS;
  #depth = 0;
  #count = 0;

  addTag(token: Token.TagToken): void {
    const { tagName: name, location } = token;
    const start = location?.startOffset ?? 0;
    const end = location?.endOffset ?? 0;
    const tag = { name, start, end, token, element: null };
    this.tags.push(tag);
    this.#byAttributes.set(token.attrs, tag);
  }

  addComment({ data, location }: Token.CommentToken): void {
    if (location) this.comments.push({ text: data, start: location.startOffset, end: location.endOffset });
  }

  #createElement(name: string, namespace: dialect.NS, attributes: Token.Attribute[]): HtmlElement {
    this.#count += 1;
    if (this.#count > maxElements) throw new TooLarge();
    const tag = this.#byAttributes.get(attributes) ?? null;
    const element = createElement(name, namespace, attributes, tag);
    if (tag) tag.element ??= element;
    if (name === "style") this.styles.push(element);
    return element;
  }

  #insertText(parent: HtmlElement, text: string): void {
    if (parent.name !== "style" || !this.text) return;
    const { startOffset: start, endOffset: end } = this.text;
    parent.style ??= { text: "", start, end };
    parent.style.text += text;
    parent.style.end = end;
  }

  /** The tree as the parser sees it. */
  readonly adapter: TreeAdapter<Nodes> = {
    adoptAttributes: () => {},
    appendChild: (parent, node) => {
      if (node !== this.#ignored) attach(parent, node);
    },
    insertBefore: (parent, node) => attach(parent, node),
    detachNode: detach,
    createCommentNode: () => this.#ignored,
    createTextNode: () => this.#ignored,
    createDocument: createNode,
    createDocumentFragment: createNode,
    createElement: (name, namespace, attributes) => this.#createElement(name, namespace, attributes),
    insertText: (parent, text) => this.#insertText(parent, text),
    insertTextBefore: () => {},
    getAttrList: ({ attributes }) => attributes,
    getChildNodes: ({ children }) => [...(children ?? [])],
    getFirstChild: ({ children }) => children?.values().next().value ?? null,
    getParentNode: ({ parent }) => parent,
    getTagName: ({ name }) => name,
    getNamespaceURI: ({ namespace }) => namespace,
    getTemplateContent: (element) => element,
    setTemplateContent: () => {},
    getDocumentMode: () => this.#mode,
    setDocumentMode: (_document, mode) => {
      this.#mode = mode;
    },
    setDocumentType: () => {},
    getCommentNodeContent: () => "",
    getTextNodeContent: () => "",
    getDocumentTypeNodeName: () => "",
    getDocumentTypeNodePublicId: () => "",
    getDocumentTypeNodeSystemId: () => "",
    isCommentNode: (node): node is HtmlElement => node === this.#ignored,
    isTextNode: (node): node is HtmlElement => node === this.#ignored,
    isDocumentTypeNode: (node): node is HtmlElement => node === this.#ignored,
    isElementNode: (node): node is HtmlElement => node !== this.#ignored,
    getNodeSourceCodeLocation: () => null,
    setNodeSourceCodeLocation: () => {},
    updateNodeSourceCodeLocation: () => {},
    onItemPush: () => {
      this.#depth += 1;
      if (this.#depth > maxDepth) throw new TooLarge();
    },
    onItemPop: () => {
      this.#depth -= 1;
    },
  };
}

/** The parser, with what the tree does not keep: the places of tags, comments and texts. */
class TagParser extends Parser<Nodes> {
  readonly #reader: TagReader;

  constructor(reader: TagReader) {
    // Mail programs run no scripts.
    super({ treeAdapter: reader.adapter, scriptingEnabled: false });
    this.#reader = reader;
    this.onParseError = ({ code }) => {
      if (code === "duplicate-attribute") reader.hasRepeated = true;
    };
    this.tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, this);
  }

  override onStartTag(token: Token.TagToken): void {
    this.#reader.addTag(token);
    super.onStartTag(token);
  }
  override onComment(token: Token.CommentToken): void {
    this.#reader.addComment(token);
    super.onComment(token);
  }
  /** Takes the place of a text from its token: the parser would look for it among all siblings. */
  #takePlace(token: Token.CharacterToken): Token.CharacterToken {
    this.#reader.text = token.location;
    token.location = null;
    return token;
  }
  override onCharacter(token: Token.CharacterToken): void {
    super.onCharacter(this.#takePlace(token));
  }
  override onNullCharacter(token: Token.CharacterToken): void {
    super.onNullCharacter(this.#takePlace(token));
  }
  override onWhitespaceCharacter(token: Token.CharacterToken): void {
    super.onWhitespaceCharacter(this.#takePlace(token));
  }
}

/** Reads HTML as a browser without scripts reads it, in linear time; null when it has too many elements or levels. */
export const readTags = (html: string): HtmlTags | null => {
  const reader = new TagReader();
  try {
    new TagParser(reader).tokenizer.write(html, true);
  } catch (error) {
    if (error instanceof TooLarge) return null;
    throw error;
  }
  return reader;
};

import { cleanLink, cleanPicture, type LinkContext, unwrapLinks } from "../replyLinks.ts";
import { cleanDeclarations, genericFamily, type StyleRules, writeDeclarations } from "./replyStyle.ts";

/** The state while the attributes of elements are read. */
export interface AttributeContext extends LinkContext {
  readonly rules: StyleRules;
  /** The characters that style rules may still add. */
  budget: number;
  /** True if the text has letters that are written from right to left. */
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
export const styleOf = (
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
export const isPixel = (values: ReadonlyMap<string, string>, style: ReadonlyMap<string, string>): boolean =>
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

export const attributesOf = (
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

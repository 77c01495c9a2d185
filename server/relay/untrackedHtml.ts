import { untrackedLink } from "./trackingLink.ts";

interface Attribute {
  /** In lower case. */
  readonly name: string;
  readonly value: string;
  /** Where the value stands in the tag, quotes left out. */
  readonly start: number;
}

const attribute = /([^\s"'<>/=]{1,100})(?:\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g;

const attributesOf = (tag: string): readonly Attribute[] =>
  [...tag.matchAll(attribute)].slice(1).map((match) => {
    const [whole, name = "", double, single, bare] = match;
    const value = double ?? single ?? bare ?? "";
    const isQuoted = double !== undefined || single !== undefined;
    return {
      name: name.toLowerCase(),
      value,
      start: match.index + whole.length - value.length - (isQuoted ? 1 : 0),
    };
  });

/** The address of a picture that is there to be fetched, not to be seen. */
const beacon =
  /\/(?:open|opens|track\/open|wf\/open|e\/o|o\/|pixel|beacon|trk\/o|imp)(?:[/.?]|$)|\/(?:pixel|spacer|blank|clear|1x1|open)\.(?:gif|png)/i;

const isTiny = (length: string | undefined): boolean => /^\s*[01](?:px)?\s*$/i.test(length ?? "");

const hidden = /(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:[;\s]|$))/i;

const styled = (style: string, property: string): string | undefined =>
  new RegExp(`(?:^|[;\\s])(?:max-)?${property}\\s*:\\s*([^;]{1,20})`, "i").exec(style)?.[1];

const isPixel = (attributes: readonly Attribute[]): boolean => {
  const said = (name: string) => attributes.find((one) => one.name === name)?.value;
  const source = (said("src") ?? "").trim();
  if (!/^(?:https?:)?\/\//i.test(source)) return false;
  const style = said("style") ?? "";
  const [width, height] = ["width", "height"].map((side) => styled(style, side) ?? said(side));
  return (isTiny(width) && isTiny(height)) || hidden.test(style) || beacon.test(source);
};

const untrackedTag = (name: string, tag: string): string => {
  const attributes = attributesOf(tag);
  if (name === "img") return isPixel(attributes) ? "" : tag;
  const href = attributes.find((one) => one.name === "href");
  if (!href) return tag;
  const { start, value } = href;
  return tag.slice(0, start) + untrackedLink(value) + tag.slice(start + value.length);
};

/** What a tag is made of up to its end: no further "<" but in quoted values. */
const insideTag = /(?:[^<>"']|"[^"]*"|'[^']*')*>/y;

/** The first character behind the tag that begins there; -1 where it has no end, or a very late one. */
const endOfTag = (html: string, open: number): number => {
  const tag = html.slice(open + 1, open + longestTag);
  insideTag.lastIndex = 0;
  return insideTag.test(tag) ? open + 1 + insideTag.lastIndex : -1;
};

const longestTag = 16_384;

const begins = /<(img|area|a)(?=[\s/])/gi;

/**
 * HTML without the pictures that tell its sender that it was read, and with links that lead where they say without
 * saying who followed them. Everything else is the same characters.
 */
export const untrackedHtml = (html: string): string => {
  const pieces: string[] = [];
  let copied = 0;
  begins.lastIndex = 0;
  for (let match = begins.exec(html); match; match = begins.exec(html)) {
    const end = endOfTag(html, match.index);
    if (end === -1) continue;
    const tag = html.slice(match.index, end);
    pieces.push(html.slice(copied, match.index), untrackedTag((match[1] ?? "").toLowerCase(), tag));
    copied = end;
    begins.lastIndex = end;
  }
  return pieces.join("") + html.slice(copied);
};

import type { TextEdit } from "../../mime/quotedPrintable.ts";

/** Parameters that identify the recipient or the campaign and that the page does not need. */
const trackingParameters =
  /^(?:utm_\w+|mc_[ce]id|fbclid|gclid|gbraid|wbraid|dclid|msclkid|yclid|twclid|ttclid|igshid|_hs(?:enc|mi)|mkt_tok|vero_(?:id|conv)|oly_(?:enc|anon)_id|wickedid|rb_clickid|s_cid|ml_subscriber(?:_hash)?|__s|_openstat|ck_subscriber_id|_kx|trk_\w+|elqtrack\w*)$/i;

/** Paths of pages that count a click and redirect. */
const redirectPath =
  /\/(?:click|clicks|ck|ls\/click|track|trk|tracking|redirect|redir|r|out|goto|url|l\.php|f\/a)(?:[/.?]|$)/i;

/** Query parameters that contain the target of a redirect. */
const targetParameters = /^(?:url|u|q|to|target|dest|destination|redirect|redirect_?ur[il]|link|goto|r)$/i;

const ampersand = /&amp;|&#38;|&/g;

interface LinkParts {
  readonly path: string;
  readonly parameters: readonly string[];
  readonly separator: string;
  readonly fragment: string;
}

const parseHref = (href: string): LinkParts => {
  const hash = href.search(/(?<!&)#/);
  const [rest, fragment] = hash === -1 ? [href, ""] : [href.slice(0, hash), href.slice(hash)];
  const mark = rest.indexOf("?");
  const query = mark === -1 ? "" : rest.slice(mark + 1);
  return {
    path: mark === -1 ? rest : rest.slice(0, mark),
    parameters: query === "" ? [] : query.split(ampersand),
    separator: query.match(ampersand)?.[0] ?? "&",
    fragment,
  };
};

const parameterName = (parameter: string): string => parameter.split("=", 1)[0] ?? "";

const decodeParameter = (text: string): string | null => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
};

/** The link must contain the target unencoded. */
const redirectTarget = ({ path, parameters }: LinkParts): string | null => {
  if (!redirectPath.test(path.replace(/^https?:\/\/[^/]*/i, ""))) return null;
  for (const parameter of parameters) {
    const name = parameterName(parameter);
    if (!targetParameters.test(name)) continue;
    const target = decodeParameter(parameter.slice(name.length + 1));
    if (target !== null && /^https?:\/\/[^\s"'<>]+$/i.test(target)) return target.replaceAll("&", "&amp;");
  }
  return null;
};

const maxRedirects = 3;

/** Removes tracking from the URL of a link as it is written in HTML; returns other URLs unchanged. */
export const stripTrackingFromLink = (href: string, depth = 0): string => {
  if (!/^\s*https?:\/\//i.test(href)) return href;
  const link = parseHref(href);
  const target = depth < maxRedirects ? redirectTarget(link) : null;
  if (target !== null) return stripTrackingFromLink(target, depth + 1);
  const { path, parameters, separator, fragment } = link;
  const kept = parameters.filter((parameter) => !trackingParameters.test(parameterName(parameter)));
  if (kept.length === parameters.length) return href;
  return `${path}${kept.length === 0 ? "" : `?${kept.join(separator)}`}${fragment}`;
};

interface Attribute {
  readonly name: string;
  readonly value: string;
  /** Offset of the value in the tag, without quotes. */
  readonly start: number;
}

const attributePattern = /([^\s"'<>/=]{1,100})(?:\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g;

const attributesOf = (tag: string): readonly Attribute[] =>
  [...tag.matchAll(attributePattern)].slice(1).map((match) => {
    const [text, name = "", double, single, bare] = match;
    const value = double ?? single ?? bare ?? "";
    const isQuoted = double !== undefined || single !== undefined;
    return {
      name: name.toLowerCase(),
      value,
      start: match.index + text.length - value.length - (isQuoted ? 1 : 0),
    };
  });

/** URLs of images that exist only to be fetched. */
const beaconPath =
  /\/(?:open|opens|track\/open|wf\/open|e\/o|o\/|pixel|beacon|trk\/o|imp)(?:[/.?]|$)|\/(?:pixel|spacer|blank|clear|1x1|open)\.(?:gif|png)/i;

const isTiny = (length: string | undefined): boolean => /^\s*[01](?:px)?\s*$/i.test(length ?? "");

const hiddenStyle = /(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:[;\s]|$))/i;

const styleValue = (style: string, property: string): string | undefined =>
  new RegExp(`(?:^|[;\\s])(?:max-)?${property}\\s*:\\s*([^;]{1,20})`, "i").exec(style)?.[1];

const isPixel = (attributes: readonly Attribute[]): boolean => {
  const attributeValue = (name: string) => attributes.find((attribute) => attribute.name === name)?.value;
  const source = (attributeValue("src") ?? "").trim();
  if (!/^(?:https?:)?\/\//i.test(source)) return false;
  const style = attributeValue("style") ?? "";
  const [width, height] = ["width", "height"].map((side) => styleValue(style, side) ?? attributeValue(side));
  return (isTiny(width) && isTiny(height)) || hiddenStyle.test(style) || beaconPath.test(source);
};

/** Returns the change of a tag, by offsets in the tag; null when it stays. */
const cleanTag = (name: string, tag: string): TextEdit | null => {
  const attributes = attributesOf(tag);
  if (name === "img") return isPixel(attributes) ? { start: 0, end: tag.length, text: "" } : null;
  const href = attributes.find((attribute) => attribute.name === "href");
  if (!href) return null;
  const { start, value } = href;
  const text = stripTrackingFromLink(value);
  return text === value ? null : { start, end: start + value.length, text };
};

/** The rest of a tag; "<" may appear in quoted values only. */
const insideTag = /(?:[^<>"']|"[^"]*"|'[^']*')*>/y;

/** -1 when the tag does not end within the limit. */
const endOfTag = (html: string, open: number): number => {
  const tag = html.slice(open + 1, open + maxTagLength);
  insideTag.lastIndex = 0;
  return insideTag.test(tag) ? open + 1 + insideTag.lastIndex : -1;
};

const maxTagLength = 16_384;

const trackedTagStart = /<(img|area|a)(?=[\s/])/gi;

/** Finds the images that report reading, and the links that track, as the edits that remove them. */
export const findTracking = (html: string): readonly TextEdit[] => {
  const edits: TextEdit[] = [];
  trackedTagStart.lastIndex = 0;
  for (let match = trackedTagStart.exec(html); match; match = trackedTagStart.exec(html)) {
    const end = endOfTag(html, match.index);
    if (end === -1) continue;
    const tag = html.slice(match.index, end);
    const edit = cleanTag((match[1] ?? "").toLowerCase(), tag);
    if (edit) edits.push({ ...edit, start: match.index + edit.start, end: match.index + edit.end });
    trackedTagStart.lastIndex = end;
  }
  return edits;
};

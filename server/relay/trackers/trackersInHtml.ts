import type { TextEdit } from "../../mime/quotedPrintable.ts";
import { editValue, writtenValue } from "./attributeText.ts";
import { findCssLoads, mayLoad } from "./cssLoads.ts";
import { readRules } from "./cssRules.ts";
import {
  attributeOf,
  attributesOf,
  elementOf,
  type HtmlAttribute,
  type HtmlComment,
  type HtmlElement,
  type HtmlTag,
  type HtmlTags,
  isHtml,
  readTags,
} from "./htmlTags.ts";
import { isLoading, kindOfLoad } from "./loadingAttributes.ts";
import { createStyleValues } from "./styleValues.ts";
import { stripTrackingFromLink } from "./trackingLinks.ts";
import { createSight, type Sight } from "./unseen.ts";

/** Reads an address as browsers do: without blanks around it, and without tabs and line breaks (URL, 4.4). */
const normalizeAddress = (address: string): string =>
  address.replaceAll(/^[\0-\x20]+|(?<![\0-\x20])[\0-\x20]+$|[\t\r\n]+/g, "");

const scheme = /^[a-z][-+.\da-z]*:/i;

/** True if an address leads out of the mail; `hasBase` tells that relative ones do. */
const isRemoteAddress = (written: string, hasBase: boolean): boolean => {
  const address = normalizeAddress(written);
  if (scheme.test(address)) return /^(?:https?|ftp|wss?):/i.test(address);
  return /^[/\\]{2}/.test(address) || (hasBase && address !== "" && !address.startsWith("#"));
};

/** True if what an address leads to can load more from outside: also that of a document in the address itself. */
const isRemoteDocument = (written: string, hasBase: boolean): boolean =>
  isRemoteAddress(written, hasBase) || /^(?:data|blob|filesystem):/i.test(normalizeAddress(written));

/** The addresses of a set of pictures (HTML, 4.8.4.3). */
const candidateAddresses = (set: string): readonly string[] =>
  [...set.matchAll(/[^\s,]\S*/g)].map(([address]) => address.replace(/(?<!,),+$/, ""));

/** URLs of images that exist only to be fetched. */
const beaconPath =
  /\/(?:open|opens|track\/open|wf\/open|e\/o|o\/|pixel|beacon|trk\/o|imp)(?:[/.?]|$)|\/(?:pixel|spacer|blank|clear|1x1|open)\.(?:gif|png)/i;

/** The state of a text while its tags are looked at. */
interface Page {
  readonly html: string;
  readonly sight: Sight;
  /** True if relative addresses lead out of the mail. */
  readonly hasBase: boolean;
  /** True if removed attributes leave their names, so that browsers do not read others of the same name. */
  readonly keepsNames: boolean;
  /** The text in place of a picture that goes, by the name of its tag, where without it the rest would be read otherwise. */
  readonly placeholders: Readonly<Record<string, string>>;
  /** Finds the sources of the `picture` around a picture. */
  readonly sourcesOf: (tag: HtmlTag) => Sources;
}

/** The sources of a `picture`, which are read once for all pictures in it. */
interface Sources {
  readonly reach: PictureReach;
  /** The edits that remove them; taken by the first picture that goes. */
  readonly takeRemovals: () => readonly TextEdit[];
}

/** The reach of a picture's addresses. */
interface PictureReach {
  readonly isRemote: boolean;
  readonly isBeacon: boolean;
}

type EditAttribute = (tag: HtmlTag, attribute: HtmlAttribute, page: Page) => readonly TextEdit[];

const removal = ({ start, end }: { readonly start: number; readonly end: number }): TextEdit => ({
  start,
  end,
  text: "",
});

const valueIn = (tag: HtmlTag, name: string): string | undefined => attributeOf(elementOf(tag), name);

/** Reads where the addresses of a picture lead, also those for other screens. */
const reachOf = (tags: readonly HtmlTag[], hasBase: boolean): PictureReach => {
  const remote = tags
    .flatMap((tag) => [valueIn(tag, "src") ?? "", ...candidateAddresses(valueIn(tag, "srcset") ?? "")])
    .filter((address) => isRemoteAddress(address, hasBase));
  return {
    isRemote: remote.length > 0,
    isBeacon: remote.some((address) => beaconPath.test(normalizeAddress(address))),
  };
};

const readSources = (picture: HtmlElement | null, hasBase: boolean): Sources => {
  const tags = [...(picture?.children ?? [])].flatMap(({ name, tag }) =>
    name === "source" && tag ? [tag] : [],
  );
  let removals = tags.map(removal);
  return {
    reach: reachOf(tags, hasBase),
    takeRemovals: () => {
      const taken = removals;
      removals = [];
      return taken;
    },
  };
};

const createSourcesOf = (hasBase: boolean): Page["sourcesOf"] => {
  const known = new Map<HtmlElement | null, Sources>();
  return (tag) => {
    const { parent } = elementOf(tag);
    const picture = parent?.name === "picture" ? parent : null;
    const sources = known.get(picture) ?? readSources(picture, hasBase);
    known.set(picture, sources);
    return sources;
  };
};

/** Those of Outlook's drawings are in comments for it alone. */
const isPicture = (tag: HtmlTag): boolean =>
  /^(?:img|image|v:image|v:imagedata)$/.test(tag.name) ||
  (tag.name === "input" && valueIn(tag, "type")?.toLowerCase() === "image");

const isTrackingPicture = (tag: HtmlTag, { sight, hasBase, sourcesOf }: Page): boolean => {
  const own = reachOf([tag], hasBase);
  const { reach } = sourcesOf(tag);
  if (!own.isRemote && !reach.isRemote) return false;
  return own.isBeacon || reach.isBeacon || sight.isUnseen(elementOf(tag));
};

/** Cleans a link as it is written; one that is written in an unusual way, as a browser reads it. */
const editLink: EditAttribute = (_tag, attribute, { html }) => {
  const { start, text } = writtenValue(html, attribute);
  const isUsual = text.replaceAll(/&amp;|&#38;/g, "&") === attribute.value && !/[\t\r\n]/.test(text);
  const link = isUsual
    ? text
    : normalizeAddress(attribute.value)
        .replaceAll("&", "&amp;")
        .replaceAll('"', "%22")
        .replaceAll("'", "%27");
  const clean = stripTrackingFromLink(link);
  return clean === link ? [] : [{ start, end: start + text.length, text: clean }];
};

const createReach = (hasBase: boolean) => ({
  isRemote: (address: string) => isRemoteAddress(address, hasBase),
  isRemoteSheet: (address: string) => isRemoteDocument(address, hasBase),
});

const isRefresh = (tag: HtmlTag): boolean =>
  tag.name === "meta" && valueIn(tag, "http-equiv")?.trim().toLowerCase() === "refresh";

/** Finds what a tag of a drawing loads: all but links. */
const editDrawing: EditAttribute = (tag, attribute, { hasBase }) => {
  const { name, value } = attribute;
  const isAddress = /^(?:xlink:)?href$|^src$/.test(name) && tag.name !== "a";
  const loads =
    (isAddress && isRemoteDocument(value, hasBase)) || findCssLoads(value, createReach(hasBase)).length > 0;
  return loads ? [removal(attribute)] : [];
};

/** Finds what a source of a film or a sound loads; one of a picture goes with the picture. */
const editSource: EditAttribute = (tag, attribute, { hasBase, sight }) => {
  const { parent } = elementOf(tag);
  const isUnwanted = parent?.name === "audio" || (parent?.name === "video" && !sight.isSized(parent));
  return isUnwanted && isRemoteAddress(attribute.value, hasBase) ? [removal(attribute)] : [];
};

const addressesIn = ({ name, value }: HtmlAttribute): readonly string[] => {
  if (name === "imagesrcset") return candidateAddresses(value);
  return name === "ping" || name === "archive" ? value.split(/[ \t\r\n\f,]+/) : [value];
};

const editStyle: EditAttribute = (tag, attribute, { html, hasBase, sight }) => {
  const loads = findCssLoads(attribute.value, createReach(hasBase));
  return loads.length === 0 || sight.isSized(elementOf(tag)) ? [] : editValue(html, attribute, loads);
};

const editAddress: EditAttribute = (tag, attribute, { hasBase, sight }) => {
  const kind = kindOfLoad(tag.name, attribute.name);
  if (kind === null) return [];
  const leadsOut = kind === "unseen" ? isRemoteDocument : isRemoteAddress;
  const isLoaded = addressesIn(attribute).some((address) => leadsOut(address, hasBase));
  return isLoaded && (kind === "unseen" || !sight.isSized(elementOf(tag))) ? [removal(attribute)] : [];
};

const remove: EditAttribute = (_tag, attribute) => [removal(attribute)];

/** The readers of attributes that have no address alone, or one that is not only loaded. */
const special: Readonly<Record<string, EditAttribute>> = {
  "a href": editLink,
  "area href": editLink,
  "iframe srcdoc": remove,
  "meta content": (tag, attribute) =>
    isRefresh(tag) && /[a-z]/i.test(attribute.value) ? [removal(attribute)] : [],
  "source src": editSource,
};

const editAttribute: EditAttribute = (tag, attribute, page) => {
  if (attribute.name === "style") return editStyle(tag, attribute, page);
  if (!isHtml(elementOf(tag))) return editDrawing(tag, attribute, page);
  const key = `${tag.name} ${attribute.name}`;
  return ((Object.hasOwn(special, key) ? special[key] : null) ?? editAddress)(tag, attribute, page);
};

/** True if an attribute may load something, or lead somewhere; in drawings, any may. */
const isWanted = (name: string, value: string): boolean =>
  value !== "" && (name === "style" ? mayLoad.test(value) : isLoading(name));

/** An `img` ends the drawing around it, an `input` the `select`, and after either no `frameset` is read (HTML, 13.2.6). */
const placeholdersFor = (tags: readonly HtmlTag[]): Page["placeholders"] => {
  const names = new Set(tags.map(({ name }) => name));
  const hasFrames = names.has("frameset");
  return {
    ...((hasFrames || names.has("svg") || names.has("math")) && { img: "<img>" }),
    ...((hasFrames || names.has("select")) && { input: "<input type=image hidden>" }),
    ...(hasFrames && { image: "<image>" }),
  };
};

const editTag = (tag: HtmlTag, page: Page): readonly TextEdit[] => {
  if (isPicture(tag) && isTrackingPicture(tag, page))
    return [
      { ...removal(tag), text: page.placeholders[tag.name] ?? "" },
      ...page.sourcesOf(tag).takeRemovals(),
    ];
  const attributes = attributesOf(tag, isHtml(elementOf(tag)) ? isWanted : () => true);
  return attributes.length === 0
    ? []
    : attributes.flatMap((attribute) =>
        editAttribute(tag, attribute, page).map((edit) =>
          page.keepsNames && edit.start === attribute.start && edit.text === ""
            ? { ...edit, text: `${attribute.name}=""` }
            : edit,
        ),
      );
};

const shift = (edits: readonly TextEdit[], by: number): readonly TextEdit[] =>
  edits.map((edit) => ({ ...edit, start: edit.start + by, end: edit.end + by }));

/** Finds what a style sheet loads; one of a drawing, whose text may have references, goes whole. */
const editSheet = (sheet: HtmlElement, { html, hasBase }: Page): readonly TextEdit[] => {
  const { style } = sheet;
  if (!style) return [];
  const { start, end } = style;
  const loads = findCssLoads(isHtml(sheet) ? html.slice(start, end) : style.text, createReach(hasBase));
  if (!isHtml(sheet) && loads.length > 0) return [removal(style)];
  return shift(loads, start);
};

/** Names of attributes, and words of style sheets, without which nothing is loaded and no link is followed. */
const mayTrack =
  /(?:href|src|srcset|background|poster|data|ping|archive|classid|codebase|code|manifest|srcdoc)\s*=|url|import|image|refresh|&#|\\/i;

/** The comments that Outlook reads as HTML. */
const conditionalComment = /^<!--\s*\[if\b[^\]]*\]>/i;

const isRemoteBase = (tag: HtmlTag): boolean =>
  tag.name === "base" && isRemoteAddress(valueIn(tag, "href") ?? "", false);

const editTags = (
  html: string,
  { tags, styles, comments, hasRepeated }: HtmlTags,
  isOutlook: boolean,
): readonly TextEdit[] => {
  const sheets = styles.map(({ style }) => style?.text ?? "");
  const hasBase = tags.some(isRemoteBase);
  const page = {
    html,
    sight: createSight(createStyleValues(readRules(sheets.join("\n")))),
    hasBase,
    keepsNames: hasRepeated,
    placeholders: placeholdersFor(tags),
    sourcesOf: createSourcesOf(hasBase),
  };
  const edits = [
    ...tags.flatMap((tag) => editTag(tag, page)),
    ...styles.flatMap((sheet) => editSheet(sheet, page)),
    ...(isOutlook ? [] : comments.flatMap((comment) => editComment(html, comment))),
  ].toSorted((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  const outside = edits.filter((edit) => {
    const isOutside = edit.start >= end;
    if (isOutside) end = edit.end;
    return isOutside;
  });
  // What stood before a tag and behind it does not become one.
  return outside.map((edit) =>
    edit.text === "" && html[edit.start - 1] === "<" ? { ...edit, text: " " } : edit,
  );
};

const editComment = (html: string, { start, end }: HtmlComment): readonly TextEdit[] => {
  const text = html.slice(start, end);
  const mark = conditionalComment.exec(text)?.[0] ?? null;
  const inside = mark === null ? "" : text.slice(mark.length);
  const found = mark !== null && mayTrack.test(inside) ? readTags(inside) : null;
  return found ? shift(editTags(inside, found, true), start + (mark ?? "").length) : [];
};

/**
 * Finds what a browser loads from outside and nobody sees, and the links that track, as the edits that remove them; null
 * for HTML with too many elements or levels.
 */
export const findTracking = (html: string): readonly TextEdit[] | null => {
  if (!mayTrack.test(html)) return [];
  const found = readTags(html);
  return found && editTags(html, found, false);
};

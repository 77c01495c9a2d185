/** Names of mail programs and providers in class names, ids and generators. */
const clientWords =
  /gmail|google|yahoo|outlook|mso|microsoft|apple|icloud|thunderbird|moz-|mozilla|proton|tutanota|zimbra|yandex|mailru|hotmail|webmail|k9mail|x_/i;

/** Longer tags are removed. */
const maxTagLength = 65_536;

const droppedTags = /^<(?:meta\b[^>]*\bname\s*=\s*["']?(?:generator|progid|originator)\b|\/?o:p\b|base\b)/i;
/** An image of at most one pixel reports when it is loaded. */
const pixel = /^<img\b.*\s(?:width|height)\s*=\s*["']?[01]["'\s/>]/is;

const cleanTag = (tag: string): string =>
  droppedTags.test(tag) || pixel.test(tag)
    ? ""
    : tag
        .replace(
          /\s(?:xmlns(?::\w+)?|data-[\w-]+|apple-[\w-]+|x-apple-[\w-]+)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi,
          "",
        )
        .replace(/\s(?:class|id)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, (attribute) =>
          clientWords.test(attribute) ? "" : attribute,
        )
        .replace(/(?<![\w-])(?:-(?:webkit|moz|ms)-|mso-)[\w-]+\s*:[^;"']*;?/gi, "");

const programWords =
  "(?:iphone|ipad|ios|android|galaxy|samsung|pixel|blackberry|huawei|xiaomi|outlook|mail for windows|yahoo|proton|gmail|thunderbird|k-9|apple mail|web\\.de|gmx)";

/** The whole default signature of a mail program, in the words of common ones. */
const programSignature = [
  `(?:sent|gesendet|envoyé|enviado|inviato)\\b[^\\r\\n<]{0,60}\\b${programWords}\\b[^\\r\\n<]{0,80}`,
  `(?:von mein\\w{1,3}|diese nachricht wurde von)[^\\r\\n<]{0,60}\\b${programWords}\\b[^\\r\\n<]{0,40}gesendet[^\\r\\n<]{0,10}`,
  `(?:get )?outlook (?:for|für|pour|per|para) ${programWords}[^\\r\\n<]{0,60}(?:<[^\\r\\n>]{0,200}>)?`,
].join("|");
const programText = new RegExp(`^(\\s*)(?:${programSignature})$`, "i");
const programLine = new RegExp(`^[ \\t]*(?:${programSignature})(?=\\r?$)`, "gim");

/** The block of a default signature. */
const programBlock =
  /^<div\b[^>]*\bid\s*=\s*["']?(?:x_)*(?:ms-outlook-mobile-signature|AppleMailSignature)\b/i;

const stripProgramText = (text: string): string =>
  text.length > 300 ? text : text.replace(programText, "$1");

/** What stays of a comment or tag, and where it ends; null when it has no end. */
const takeTag = (html: string, open: number): { readonly kept: string; readonly end: number } | null => {
  const isComment = html.startsWith("<!--", open);
  const close = html.indexOf(isComment ? "-->" : ">", open);
  if (close === -1) return isComment ? { kept: "", end: html.length } : null;
  const end = close + (isComment ? 3 : 1);
  if (isComment || end - open > maxTagLength) return { kept: "", end };
  const tag = html.slice(open, end);
  const blockEnd = programBlock.test(tag) ? html.indexOf("</div>", end) : -1;
  return blockEnd === -1 ? { kept: cleanTag(tag), end } : { kept: "", end: blockEnd + "</div>".length };
};

/** Removes from HTML what identifies the author's mail program, comments, and tracking images, in linear time. */
export const stripClientTraces = (html: string): string => {
  let clean = "";
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    const taken = open === -1 ? null : takeTag(html, open);
    if (!taken) break;
    clean += `${stripProgramText(html.slice(at, open))}${taken.kept}`;
    at = taken.end;
  }
  return clean + html.slice(at);
};

const decodeLink = (encoded: string, link: string): string => {
  try {
    const target = decodeURIComponent(encoded);
    return /^https?:\/\//i.test(target) ? target.replaceAll(/["'<>\s]/g, encodeURIComponent) : link;
  } catch {
    return link;
  }
};

/** Replaces links through the checks and caches of the owner's provider by what they lead to. */
export const unwrapLinks = (text: string): string =>
  text
    .replaceAll(
      /https?:\/\/[\w.-]{1,100}safelinks\.protection\.outlook\.com\/[^\s"'<>?]{0,100}\?url=([^\s"'<>&]{1,4000})[^\s"'<>]{0,4000}/gi,
      (link, target: string) => decodeLink(target, link),
    )
    .replaceAll(
      /https?:\/\/ci\d+\.googleusercontent\.com\/[^\s"'<>#]{1,4000}#([^\s"'<>]{1,4000})/gi,
      (_link, target: string) => target,
    );

/** Removes from a plain text the lines that name the author's mail program. */
export const stripProgramLines = (text: string): string => text.replaceAll(programLine, "");

/** Renames the mails and parts that HTML refers to (cid: and mid: links, RFC 2392). */
export const renameShownParts = (html: string, renameId: (id: string) => string): string =>
  html.replaceAll(/\b([cm]id):([^\s"'<>)]{1,900})/gi, (link, scheme: string, id: string) => {
    const renamed = renameId(`<${id.replaceAll("%40", "@")}>`);
    return renamed === "" ? link : `${scheme}:${renamed.slice(1, -1)}`;
  });

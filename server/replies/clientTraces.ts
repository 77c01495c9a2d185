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

/** Removes from HTML what identifies the author's mail program, comments, and tracking images, in linear time. */
export const stripClientTraces = (html: string): string => {
  let clean = "";
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    if (open === -1) break;
    clean += html.slice(at, open);
    const isComment = html.startsWith("<!--", open);
    const close = html.indexOf(isComment ? "-->" : ">", open);
    if (close === -1) return isComment ? clean : clean + html.slice(open);
    at = close + (isComment ? 3 : 1);
    if (!isComment && at - open <= maxTagLength) clean += cleanTag(html.slice(open, at));
  }
  return clean + html.slice(at);
};

/** Renames the parts of the mail that HTML refers to (cid: links, RFC 2392). */
export const renameShownParts = (html: string, renameId: (id: string) => string): string =>
  html.replaceAll(/\bcid:([^\s"'<>)]{1,400})/gi, (link, id: string) => {
    const renamed = renameId(`<${id.replaceAll("%40", "@")}>`);
    return renamed === "" ? link : `cid:${renamed.slice(1, -1)}`;
  });

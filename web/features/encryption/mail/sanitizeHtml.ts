import DOMPurify from "dompurify";
import {
  allowedAttributes,
  allowedElements,
  droppedElements,
  presentational,
  renamedElements,
  sanitizeStyle,
} from "./allowedHtml.ts";
import { type MailLink, readLinks } from "./mailLinks.ts";
import { readAttribute, readText } from "./parseMailHtml.ts";

/** The sanitized HTML of a mail. */
export interface SafeHtml {
  readonly body: string;
  /** CSS rules for the classes in `body`; the body is readable without them. */
  readonly styles: string;
  readonly links: readonly MailLink[];
  readonly remotePictures: number;
  /** True when the body has neither text nor pictures. */
  readonly isEmpty: boolean;
}

const htmlNamespace = "http://www.w3.org/1999/xhtml";

const inlinePicture = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=\s]*$/i;

/** Characters of all embedded pictures together; a mail can show an attached picture many times. */
const maxPictureCharacters = 40_000_000;

/** The parts of drawings and formulas that are not shown. */
const unreadInDrawings = "annotation,annotation-xml,defs,desc,metadata,noframes,script,title";

const textOfDrawing = (drawing: Element): string => {
  for (const unread of drawing.querySelectorAll(unreadInDrawings)) unread.remove();
  const texts = drawing.ownerDocument.createNodeIterator(drawing, NodeFilter.SHOW_TEXT);
  const read: string[] = [""];
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) read.push(readText(text));
  return `${read.join(" ")} `;
};

/** Removes from a body what is not allowed; what is allowed runs nothing, loads nothing and links nowhere. */
const purify = (body: HTMLElement): void => {
  DOMPurify.sanitize(body, {
    IN_PLACE: true,
    TRUSTED_TYPES_POLICY: null,
    ALLOWED_TAGS: [...allowedElements, "body"],
    ALLOWED_ATTR: [...allowedAttributes, "class", "src"],
    ADD_URI_SAFE_ATTR: [...allowedAttributes],
    ALLOWED_URI_REGEXP: inlinePicture,
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
  });
};

/**
 * Sanitizes a mail that `parseMailHtml` has parsed, so that it runs no script, loads nothing and links nowhere. A copy
 * keeps its text, attached pictures and styles in what a policy can allow, and DOMPurify has the last word about it.
 * `pictureOf` returns the attached picture with a Content-ID as a data: URL, or null. Links become plain text and are
 * returned as a list.
 */
export const sanitizeHtml = (mail: Document, pictureOf: (contentId: string) => string | null): SafeHtml => {
  const { body } = mail.implementation.createHTMLDocument("");
  const classes = new Map<string, string>();
  let remotePictures = 0;
  let pictureCharacters = 0;

  const getClass = (style: string): string => {
    const name = classes.get(style) ?? `m${classes.size}`;
    classes.set(style, name);
    return name;
  };
  const copyAttributes = (from: Element, to: Element): void => {
    if (!from.hasAttributes()) return;
    for (const name of allowedAttributes) {
      const value = readAttribute(from, name);
      if (value !== null && (name === "alt" || presentational.test(value))) to.setAttribute(name, value);
    }
    const style = sanitizeStyle(readAttribute(from, "style") ?? "");
    if (style !== "") to.setAttribute("class", getClass(style));
  };
  const append = (to: Node, from: Element, name: string): Element => {
    const element = to.appendChild(body.ownerDocument.createElement(name));
    copyAttributes(from, element);
    return element;
  };
  const copyPicture = (from: Element, to: Node): void => {
    const source = (readAttribute(from, "src") ?? "").trim();
    const address = /^cid:/i.test(source) ? pictureOf(source.slice(4)) : source;
    pictureCharacters += address?.length ?? 0;
    if (address !== null && pictureCharacters <= maxPictureCharacters && inlinePicture.test(address)) {
      append(to, from, "img").setAttribute("src", address);
      return;
    }
    if (source !== "" || from.hasAttribute("srcset")) remotePictures += 1;
    to.appendChild(body.ownerDocument.createTextNode(` ${readAttribute(from, "alt") ?? ""} `));
  };
  const copyElement = (from: Element, to: Node): void => {
    const { localName } = from;
    const name = renamedElements.get(localName) ?? localName;
    if (droppedElements.has(name)) return;
    if (from.namespaceURI !== htmlNamespace)
      to.appendChild(body.ownerDocument.createTextNode(textOfDrawing(from)));
    else if (name === "img") copyPicture(from, to);
    else copyContent(from, allowedElements.has(name) ? append(to, from, name) : to);
  };
  const copyContent = (from: Node, to: Node): void => {
    for (const child of from.childNodes)
      if (child instanceof Element) copyElement(child, to);
      else if (child instanceof Text) to.appendChild(body.ownerDocument.createTextNode(readText(child)));
  };
  copyAttributes(mail.body, body);
  copyContent(mail.body, body);
  purify(body);
  return {
    body: body.outerHTML,
    styles: [...classes].map(([style, name]) => `.${name}{${style}}`).join("\n"),
    links: readLinks(mail),
    remotePictures,
    isEmpty: body.textContent.trim() === "" && body.querySelector("img") === null,
  };
};

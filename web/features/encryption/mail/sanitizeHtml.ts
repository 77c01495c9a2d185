import { allowedAttributes, allowedElements, droppedElements, sanitizeStyle } from "./allowedHtml.ts";
import { hiddenStyleAttribute, restoreHidden } from "./parseMailHtml.ts";

/** A link in a mail. */
export interface MailLink {
  readonly text: string;
  /** A URL with the scheme http, https or mailto. */
  readonly address: string;
}

/** The sanitized HTML of a mail. */
export interface SafeHtml {
  readonly body: string;
  /** CSS rules for the classes in `body`; the body is readable without them. */
  readonly styles: string;
  readonly links: readonly MailLink[];
  readonly remotePictures: number;
  /** True when the mail has more than the maximum of nodes and its end is missing. */
  readonly isTruncated: boolean;
}

/** Limits that no ordinary mail reaches: nodes, nesting depth and listed links. */
const maxNodes = 30_000;
const maxDepth = 200;
const maxLinks = 500;

const htmlNamespace = "http://www.w3.org/1999/xhtml";

const inlinePicture = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=\s]*$/i;

/** Returns the URL when it is safe to open (http, https, mailto), else null. */
const toSafeUrl = (href: string): string | null => {
  const url = URL.canParse(href) ? new URL(href) : null;
  return url && ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : null;
};

const readAttribute = (element: Element, name: string): string | null => {
  const value = element.getAttribute(name);
  return value === null ? null : restoreHidden(value);
};

/**
 * Sanitizes a mail that `parseMailHtml` has parsed: builds a new body from allowed elements, attributes and styles, so
 * that it runs no script, loads nothing and links nowhere. `pictureOf` returns the attached picture with a Content-ID as
 * a data: URL, or null. Links become plain text and are returned as a list.
 *
 * DOMPurify 3.4 with the same lists gives the same result, takes 1.6 to 2.1 times as long (32 instead of 15 ms for a
 * newsletter of 108 kB) and adds 12 kB.
 */
export const sanitizeHtml = (mail: Document, pictureOf: (contentId: string) => string | null): SafeHtml => {
  const output = mail.implementation.createHTMLDocument("");
  const classes = new Map<string, string>();
  const links: MailLink[] = [];
  let remotePictures = 0;
  let nodes = 0;

  const getClass = (style: string): string => {
    const name = classes.get(style) ?? `m${classes.size}`;
    classes.set(style, name);
    return name;
  };
  const copyAttributes = (from: Element, to: Element): void => {
    for (const name of from.getAttributeNames()) {
      const value = readAttribute(from, name) ?? "";
      if (allowedAttributes.get(name.toLowerCase())?.test(value)) to.setAttribute(name.toLowerCase(), value);
    }
    const style = sanitizeStyle(readAttribute(from, hiddenStyleAttribute) ?? "");
    if (style !== "") to.setAttribute("class", getClass(style));
  };
  const picture = (from: Element): Node => {
    const source = (readAttribute(from, "src") ?? "").trim();
    const address = /^cid:/i.test(source) ? pictureOf(source.slice(4)) : source;
    if (address !== null && inlinePicture.test(address)) {
      const image = output.createElement("img");
      copyAttributes(from, image);
      image.setAttribute("src", address);
      return image;
    }
    if (source !== "" || from.hasAttribute("srcset")) remotePictures += 1;
    return output.createTextNode(readAttribute(from, "alt") ?? "");
  };
  const copyInto = (target: Node, from: Node, depth: number): void => {
    for (const child of from.childNodes) {
      nodes += 1;
      if (nodes > maxNodes || depth > maxDepth) return;
      const copied = copy(child, depth + 1);
      if (copied !== null) target.appendChild(copied);
    }
  };
  const collectLink = (from: Element): void => {
    const address = toSafeUrl(readAttribute(from, "href") ?? "");
    if (address === null || links.length === maxLinks) return;
    links.push({ text: restoreHidden(from.textContent).replace(/\s+/g, " ").trim(), address });
  };
  const createTarget = (from: Element): Node => {
    if (!allowedElements.has(from.localName)) return output.createDocumentFragment();
    const target = output.createElement(from.localName);
    copyAttributes(from, target);
    return target;
  };
  const copy = (node: Node, depth: number): Node | null => {
    if (node.nodeType === Node.TEXT_NODE) return output.createTextNode(restoreHidden(node.nodeValue ?? ""));
    if (node.nodeType !== Node.ELEMENT_NODE) return null;
    const element = node as Element;
    if (droppedElements.has(element.localName) || element.namespaceURI !== htmlNamespace) return null;
    if (element.localName === "img") return picture(element);
    if (element.localName === "a") collectLink(element);
    const target = createTarget(element);
    copyInto(target, element, depth);
    return target;
  };
  if (mail.body) {
    copyAttributes(mail.body, output.body);
    copyInto(output.body, mail.body, 0);
  }
  return {
    body: output.body.outerHTML,
    styles: [...classes].map(([style, name]) => `.${name}{${style}}`).join("\n"),
    links,
    remotePictures,
    isTruncated: nodes > maxNodes,
  };
};

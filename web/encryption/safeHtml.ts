import { allowedAttributes, allowedElements, droppedElements } from "./allowedHtml.ts";
import { hiddenStyle, withoutHiding } from "./hiddenStyle.ts";
import { safeStyle } from "./safeStyle.ts";

/** A place that a mail leads to. */
export interface MailLink {
  readonly text: string;
  /** http, https or mailto. */
  readonly address: string;
}

/** A mail's HTML as it may be shown. */
export interface SafeHtml {
  readonly body: string;
  /** Rules for the classes in it: without them it is readable, too. */
  readonly styles: string;
  readonly links: readonly MailLink[];
  /** How many pictures were left out that would have been fetched from somewhere. */
  readonly remotePictures: number;
  /** There was more than is shown. */
  readonly isCut: boolean;
}

/** More than any mail that somebody reads has. */
const mostNodes = 30_000;
const deepest = 200;
const mostLinks = 500;

const htmlNamespace = "http://www.w3.org/1999/xhtml";

const inlinePicture = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=\s]*$/i;

/** The address of a link that may be followed; null for anything that runs, or leads into this browser. */
const followable = (href: string): string | null => {
  const url = URL.canParse(href) ? new URL(href) : null;
  return url && ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : null;
};

/**
 * Makes of a mail, parsed with its styles hidden, a body that runs nothing, fetches nothing and leads nowhere: built anew from elements,
 * attributes and styles on a list. `pictureOf` gives a picture that came with the mail as a data: address, by its
 * Content-ID. Links become text and are listed beside it.
 */
export const safeHtml = (mail: Document, pictureOf: (contentId: string) => string | null): SafeHtml => {
  const made = mail.implementation.createHTMLDocument("");
  const classes = new Map<string, string>();
  const links: MailLink[] = [];
  let remotePictures = 0;
  let nodes = 0;

  const classOf = (style: string): string => {
    const name = classes.get(style) ?? `m${classes.size}`;
    classes.set(style, name);
    return name;
  };
  const dress = (from: Element, to: Element): void => {
    for (const { name, value } of from.attributes)
      if (allowedAttributes.get(name.toLowerCase())?.test(value)) to.setAttribute(name.toLowerCase(), value);
    const style = safeStyle(from.getAttribute(hiddenStyle) ?? "");
    if (style !== "") to.setAttribute("class", classOf(style));
  };
  const picture = (from: Element): Node => {
    const source = (from.getAttribute("src") ?? "").trim();
    const address = /^cid:/i.test(source) ? pictureOf(source.slice(4)) : source;
    if (address !== null && inlinePicture.test(address)) {
      const image = made.createElement("img");
      dress(from, image);
      image.setAttribute("src", address);
      return image;
    }
    if (source !== "" || from.hasAttribute("srcset")) remotePictures += 1;
    return made.createTextNode(from.getAttribute("alt") ?? "");
  };
  const copyInto = (place: Node, from: Node, depth: number): void => {
    for (const child of from.childNodes) {
      nodes += 1;
      if (nodes > mostNodes || depth > deepest) return;
      const copied = copy(child, depth + 1);
      if (copied !== null) place.appendChild(copied);
    }
  };
  const noteLink = (from: Element): void => {
    const address = followable(from.getAttribute("href") ?? "");
    if (address === null || links.length === mostLinks) return;
    links.push({ text: (from.textContent ?? "").replace(/\s+/g, " ").trim(), address });
  };
  const placeFor = (from: Element): Node => {
    if (!allowedElements.has(from.localName)) return made.createDocumentFragment();
    const place = made.createElement(from.localName);
    dress(from, place);
    return place;
  };
  const copy = (node: Node, depth: number): Node | null => {
    if (node.nodeType === Node.TEXT_NODE) return made.createTextNode(withoutHiding(node.nodeValue ?? ""));
    if (node.nodeType !== Node.ELEMENT_NODE) return null;
    const element = node as Element;
    if (droppedElements.has(element.localName) || element.namespaceURI !== htmlNamespace) return null;
    if (element.localName === "img") return picture(element);
    if (element.localName === "a") noteLink(element);
    const place = placeFor(element);
    copyInto(place, element, depth);
    return place;
  };
  if (mail.body) {
    dress(mail.body, made.body);
    copyInto(made.body, mail.body, 0);
  }
  return {
    body: made.body.outerHTML,
    styles: [...classes].map(([style, name]) => `.${name}{${style}}`).join("\n"),
    links,
    remotePictures,
    isCut: nodes > mostNodes,
  };
};

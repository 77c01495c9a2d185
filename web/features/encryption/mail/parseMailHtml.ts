// The page's policy makes the parser report each inline style and event handler even in an inert document, so both are
// renamed before parsing.

const prefix = "data-hidden-in-mail-";

/** The element that stands for what is never shown; its content is not parsed. */
const unparsed = "noframes";

/** Renames style and template to an element that is not parsed, and hides style attributes and event handlers, even mere look-alikes. */
const hideActive = (html: string): string =>
  html
    .replace(/(?<=<\/?)(?:style|template)(?=[\s/>])/gi, () => unparsed)
    .replace(/(?<=[\s"'/])(?=style|on[a-z])/gi, () => prefix);

const restoreHidden = (text: string): string => text.replaceAll(prefix, "");

/** Returns the text of a node and all in it, as the mail has it. */
export const readText = (node: Node): string => restoreHidden(node.textContent ?? "");

/** Returns an attribute as the mail has it; null when it has none. */
export const readAttribute = (element: Element, name: string): string | null => {
  const value = element.getAttribute(name === "style" ? `${prefix}style` : name);
  return value === null ? null : restoreHidden(value);
};

type ToHtml = (html: string) => string;

let createHtml: ToHtml | undefined;

/** Marks text as trusted HTML; only for a document without scripts or a sandboxed frame. */
const toTrustedHtml: ToHtml = (text) => {
  if (createHtml === undefined) {
    const policy = window.trustedTypes?.createPolicy("readMail", { createHTML: (html: string) => html });
    createHtml = policy ? (html) => policy.createHTML(html) : (html) => html;
  }
  return createHtml(text);
};

/** Limits that no ordinary mail reaches. Parsers take time that grows with the square of the depth. */
const maxElements = 30_000;
const maxDepth = 300;

const isWithinLimits = (mail: Document): boolean => {
  const walker = mail.createTreeWalker(mail, NodeFilter.SHOW_ELEMENT);
  let elements = 0;
  let depth = 0;
  while (elements <= maxElements && depth <= maxDepth) {
    if (walker.firstChild() !== null) depth += 1;
    else
      while (walker.nextSibling() === null) {
        if (walker.parentNode() === null) return true;
        depth -= 1;
      }
    elements += 1;
  }
  return false;
};

/** Characters that are parsed between two looks at the limits: few, because tags in them can multiply. */
const stepCharacters = 4_096;

/**
 * Parses the HTML of a mail into an inert document, which `readText` and `readAttribute` read; null when it has too many
 * elements or nests them too deeply.
 */
export const parseMailHtml = (text: string): Document | null => {
  const html = hideActive(text);
  const mail = document.implementation.createHTMLDocument("");
  mail.open();
  for (let at = 0; at < html.length; at += stepCharacters) {
    mail.write(toTrustedHtml(html.slice(at, at + stepCharacters)));
    if (!isWithinLimits(mail)) return null;
  }
  mail.close();
  return mail;
};

/** Shows a whole document in a frame; throws when its `sandbox` attribute is not empty. */
export const fillFrame = (frame: HTMLIFrameElement, document: string): void => {
  if (frame.getAttribute("sandbox") !== "")
    throw new Error("The frame of a mail needs an empty sandbox attribute.");
  frame.srcdoc = toTrustedHtml(document);
};

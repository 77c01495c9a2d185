// The page's policy makes DOMParser report each inline style and event handler even in an inert document, so both are
// renamed before parsing.

const prefix = "data-hidden-in-mail-";

/** The attribute that holds the styles of an element while the mail is parsed. */
export const hiddenStyleAttribute = `${prefix}style`;

/** Renames style attributes and event handlers, even mere look-alikes, and style to noframes, which is not parsed. */
const hideActive = (html: string): string =>
  html.replace(/(?<=[\s"'/])(?=style|on[a-z])/gi, () => prefix).replace(/(<\/?)style\b/gi, "$1noframes");

/** Restores text that `parseMailHtml` has changed. */
export const restoreHidden = (text: string): string => text.replaceAll(prefix, "");

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

/** Parses the HTML of a mail into an inert document with its styles and event handlers hidden. */
export const parseMailHtml = (text: string): Document =>
  new DOMParser().parseFromString(toTrustedHtml(hideActive(text)), "text/html");

/** Shows a whole document in a frame; throws when its `sandbox` attribute is not empty. */
export const fillFrame = (frame: HTMLIFrameElement, document: string): void => {
  if (frame.getAttribute("sandbox") !== "")
    throw new Error("The frame of a mail needs an empty sandbox attribute.");
  frame.srcdoc = toTrustedHtml(document);
};

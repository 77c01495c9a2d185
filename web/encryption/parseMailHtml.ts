// The Content-Security-Policy of the page makes DOMParser report each inline style, so styles are renamed before parsing.

const prefix = "data-mail-";

/** The attribute that holds the styles of an element while the mail is parsed. */
export const hiddenStyleAttribute = `${prefix}style`;

/**
 * Renames style attributes to `hiddenStyleAttribute`, including text that only looks like one, and style elements to
 * noframes elements, whose content is not parsed as HTML.
 */
const hideStyles = (html: string): string =>
  html.replace(/([\s"'/])(style\s*=)/gi, `$1${prefix}$2`).replace(/(<\/?)style\b/gi, "$1noframes");

/** Restores text that `hideStyles` has changed. */
export const restoreHidden = (text: string): string => text.replace(/data-mail-(?=style\s*=)/gi, "");

/** The part of the Trusted Types API that this file uses (W3C Trusted Types). */
interface TrustedTypes {
  readonly createPolicy: (
    name: string,
    rules: { readonly createHTML: (html: string) => string },
  ) => { readonly createHTML: (html: string) => string };
}

type ToHtml = (html: string) => string;

let createHtml: ToHtml | undefined;

/** Marks text as trusted HTML; only for a document without scripts or a sandboxed frame. */
const toTrustedHtml: ToHtml = (text) => {
  if (createHtml === undefined) {
    const { trustedTypes } = window as Window & { readonly trustedTypes?: TrustedTypes };
    const policy = trustedTypes?.createPolicy("readMail", { createHTML: (text) => text });
    createHtml = policy ? (text) => policy.createHTML(text) : (text) => text;
  }
  return createHtml(text);
};

/** Parses the HTML of a mail into an inert document with its styles hidden. */
export const parseMailHtml = (text: string): Document =>
  new DOMParser().parseFromString(toTrustedHtml(hideStyles(text)), "text/html");

/** Shows a whole document in a frame; throws when its `sandbox` attribute is not empty. */
export const fillFrame = (frame: HTMLIFrameElement, document: string): void => {
  if (frame.getAttribute("sandbox") !== "")
    throw new Error("The frame of a mail needs an empty sandbox attribute.");
  frame.srcdoc = toTrustedHtml(document);
};

import { withHiddenStyles } from "./hiddenStyle.ts";

/** What of the browser's policy for HTML this needs (W3C Trusted Types). */
interface TrustedTypes {
  readonly createPolicy: (
    name: string,
    rules: { readonly createHTML: (html: string) => string },
  ) => { readonly createHTML: (html: string) => string };
}

type ToHtml = (html: string) => string;

let trusted: ToHtml | undefined;

/** HTML that goes into a document that runs nothing, or into a frame that may do nothing. Nowhere else. */
const html: ToHtml = (text) => {
  if (trusted === undefined) {
    const { trustedTypes } = window as Window & { readonly trustedTypes?: TrustedTypes };
    const policy = trustedTypes?.createPolicy("readMail", { createHTML: (given) => given });
    trusted = policy ? (given) => policy.createHTML(given) : (given) => given;
  }
  return trusted(text);
};

/** A mail's HTML as a document that runs nothing and fetches nothing, its styles hidden. */
export const parsedMail = (text: string): Document =>
  new DOMParser().parseFromString(html(withHiddenStyles(text)), "text/html");

/** Puts a whole document into a frame, which must have an empty `sandbox`. */
export const fillFrame = (frame: HTMLIFrameElement, document: string): void => {
  if (frame.getAttribute("sandbox") !== "") throw new Error("a mail is shown in a sandbox only");
  frame.srcdoc = html(document);
};

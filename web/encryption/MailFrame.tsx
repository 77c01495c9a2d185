import { useEffect, useRef } from "react";
import styles from "./MailReader.module.css";
import { fillFrame } from "./readMail.ts";
import type { SafeHtml } from "./safeHtml.ts";

const ground = `
body { margin: 16px; font: 15px/1.5 system-ui, sans-serif; color: #1a1a1e; background: #ffffff; overflow-wrap: anywhere; }
img { max-width: 100%; }
pre { white-space: pre-wrap; }
a { color: #0b6074; text-decoration: underline; }
`;

/** The page's own stylesheets are let in by it, and so are ours in the frame, which is under the page's policy too. */
const nonceOf = (document: Document): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content ?? "";

const documentOf = ({ body, styles: rules }: SafeHtml, nonce: string): string => {
  const policy = `default-src 'none'; img-src data:; style-src 'nonce-${nonce}'`;
  return `<!doctype html><html lang=""><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="color-scheme" content="light"><style nonce="${nonce}">${ground}${rules}</style></head>${body}</html>`;
};

/** A mail's HTML in a frame that runs nothing, fetches nothing and leads nowhere. */
export const MailFrame = ({ content }: { readonly content: SafeHtml }) => {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    if (frame.current) fillFrame(frame.current, documentOf(content, nonceOf(document)));
  }, [content]);
  return <iframe ref={frame} sandbox="" title="Text of the mail" className={styles.frame} />;
};

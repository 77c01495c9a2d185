import { useEffect, useRef } from "react";
import { classes } from "../ui/classes.ts";
import { frameHeight } from "./frameHeight.ts";
import styles from "./MailReader.module.css";
import { fillFrame } from "./readMail.ts";
import type { SafeHtml } from "./safeHtml.ts";

/** The colours around the mail: those of the theme, or of paper for a mail that brings its own. */
interface Look {
  readonly color: string;
  readonly backgroundColor: string;
  readonly colorScheme: string;
}

const ground = ({ color, backgroundColor }: Look): string => `
body { margin: 16px; font: 15px/1.5 system-ui, sans-serif; color: ${color}; background: ${backgroundColor}; overflow-wrap: anywhere; }
img { max-width: 100%; }
pre { white-space: pre-wrap; }
a { text-decoration: underline; }
`;

/** The page's own stylesheets are let in by it, and so are ours in the frame, which is under the page's policy too. */
const nonceOf = (document: Document): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content ?? "";

const documentOf = ({ body, styles: rules }: SafeHtml, nonce: string, look: Look): string => {
  const policy = `default-src 'none'; img-src data:; style-src 'nonce-${nonce}'`;
  return `<!doctype html><html lang=""><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="color-scheme" content="${look.colorScheme || "light"}"><style nonce="${nonce}">${ground(look)}${rules}</style></head>${body}</html>`;
};

/** It says nothing of colours, so it can be read in those of any theme. */
const isColourless = ({ body, styles: rules }: SafeHtml): boolean =>
  !/colou?r|background/i.test(rules) && !/<[^>]*\s(?:bg|text)?color=/i.test(body);

/** A mail's HTML in a frame that runs nothing, fetches nothing and leads nowhere. */
export const MailFrame = ({ content }: { readonly content: SafeHtml }) => {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const { current } = frame;
    if (!current) return;
    const height = frameHeight(content.body, content.styles !== "", current.clientWidth);
    current.style.height = `min(${height}px, 28rem, 60vh)`;
    fillFrame(current, documentOf(content, nonceOf(document), getComputedStyle(current)));
  }, [content]);
  return (
    <iframe
      ref={frame}
      sandbox=""
      title="Text of the mail"
      className={classes(styles.frame, !isColourless(content) && styles.paper)}
    />
  );
};

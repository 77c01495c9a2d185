import { useEffect, useRef } from "react";
import { classes } from "../../../ui/classes.ts";
import { estimateFrameHeight } from "./frameHeight.ts";
import styles from "./MailReader.module.css";
import { fillFrame } from "./parseMailHtml.ts";
import type { SafeHtml } from "./sanitizeHtml.ts";

/** The colors of the page around the mail: those of the theme, or paper for a mail that sets colors itself. */
interface FrameColors {
  readonly color: string;
  readonly backgroundColor: string;
  readonly colorScheme: string;
}

const baseStyles = ({ color, backgroundColor }: FrameColors): string => `
body { margin: 16px; font: 15px/1.5 system-ui, sans-serif; color: ${color}; background: ${backgroundColor}; overflow-wrap: anywhere; }
img { max-width: 100%; }
pre { white-space: pre-wrap; }
a { text-decoration: underline; }
`;

/** Reads the nonce of the page policy; a srcdoc frame inherits that policy, so its stylesheet needs the nonce too. */
const nonceOf = (document: Document): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content ?? "";

const buildDocument = ({ body, styles: rules }: SafeHtml, nonce: string, colors: FrameColors): string => {
  const policy = `default-src 'none'; img-src data:; style-src 'nonce-${nonce}'`;
  return `<!doctype html><html lang=""><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="color-scheme" content="${colors.colorScheme || "light"}"><style nonce="${nonce}">${baseStyles(colors)}${rules}</style></head>${body}</html>`;
};

/** True when a mail sets no colors, so it is readable in those of any theme. */
const isColorless = ({ body, styles: rules }: SafeHtml): boolean =>
  !/colou?r|background/i.test(rules) && !/<[^>]*\s(?:bg|text)?color=/i.test(body);

/** Shows a mail's HTML in a frame without scripts, network access and navigation. */
export const MailFrame = ({ content }: { readonly content: SafeHtml }) => {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const { current } = frame;
    if (!current) return;
    const height = estimateFrameHeight(content.body, content.styles !== "", current.clientWidth);
    current.style.height = `min(${height}px, 28rem, 60vh)`;
    fillFrame(current, buildDocument(content, nonceOf(document), getComputedStyle(current)));
  }, [content]);
  return (
    <iframe
      ref={frame}
      sandbox=""
      title="Text of the email"
      className={classes(styles.frame, !isColorless(content) && styles.paper)}
    />
  );
};

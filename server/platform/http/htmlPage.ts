import type { FastifyReply } from "fastify";
import { escapeHtml } from "../../../core/api/textCodecs.ts";
import { publicPathOf } from "./publicPath.ts";

/** HTML that is safe to send, because every inserted value is escaped. */
export interface Html {
  readonly html: string;
}

type HtmlValue = string | number | Html | readonly Html[];

const renderValue = (value: HtmlValue): string => {
  if (typeof value !== "object") return escapeHtml(String(value));
  return "html" in value ? value.html : value.map((part) => part.html).join("");
};

/** Builds HTML from a template literal: escapes strings and numbers, and inserts `Html` values unchanged. */
export const html = (texts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html => ({
  html: texts.reduce((rendered, text, index) => `${rendered}${renderValue(values[index - 1] ?? "")}${text}`),
});

export const noHtml: Html = { html: "" };

/** A card in the middle of a page that has nothing else. */
export const narrowCard = (body: Html): Html => html`<div class="card narrow stack">${body}</div>`;

/** Where the server's own pages have the typeface of the web app, whose file is named by its content. */
export const typefacePath = "/typeface.woff2";

/** The styles of the server's own pages; they use the colors and the typeface of the web app. */
const pageStyle = `
@font-face { font-family: Inter; font-weight: 400 600; font-display: swap; src: url(".${typefacePath}") format("woff2"); }
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f5f2, #0e0f12); --surface: light-dark(#ffffff, #16171b);
  --sunken: light-dark(#f2f1ed, #111215); --line: light-dark(#e6e4de, #26282e);
  --text: light-dark(#1a1a1e, #edece8); --muted: light-dark(#56555b, #aeadb3);
  --ink: light-dark(#1a1a1e, #edece8); --on-ink: light-dark(#ffffff, #16171b);
  --accent: light-dark(#0b6074, #74c9dc); --focus: light-dark(#0b7a93, #74c9dc);
  --cloak: light-dark(#1a1a1e, #2c2e35); --shade: light-dark(#d8d4ca, #cfcbc1);
}
* { box-sizing: border-box; margin: 0; }
body { min-width: 20rem; font-variant-ligatures: no-contextual; background: var(--ground); color: var(--text); overflow-wrap: anywhere;
  font: 0.9375rem/1.5 Inter, system-ui, -apple-system, "Noto Sans", sans-serif; }
header, main { max-width: 64rem; margin-inline: auto; padding: 1rem; }
header { display: flex; align-items: center; gap: 0.5rem; font-weight: 600; font-size: 1.125rem; }
header a { display: inline-flex; align-items: center; gap: 0.5rem; color: inherit; text-decoration: none; }
h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.012em; text-wrap: balance; }
h2 { font-size: 1.125rem; line-height: 1.25; margin-block: 1.5rem 0.5rem; }
a { color: var(--accent); text-underline-offset: 0.2em; }
p { text-wrap: pretty; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 0.25rem; }
.stack > * + * { margin-top: 1rem; }
.muted { color: var(--muted); }
.card { padding: 1.25rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--surface); }
.narrow { max-width: 30rem; margin: 3rem auto 0; }
.mono { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.9375em; }
ul.mails { padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--surface); overflow: clip; }
ul.mails li + li { border-top: 1px solid var(--line); }
ul.mails a { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: 0.75rem 1.25rem; color: inherit; text-decoration: none; }
ul.mails a:hover { background: var(--sunken); }
ul.mails a:focus-visible { outline-offset: -2px; }
ul.mails .subject { font-weight: 600; }
ul.mails .way { flex-basis: 100%; font-size: 0.8125rem; }
time { color: var(--muted); font-variant-numeric: tabular-nums; white-space: nowrap; font-size: 0.8125rem; }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.25rem 1rem; }
dt { color: var(--muted); }
dd { margin: 0; }
pre { white-space: pre-wrap; padding: 1rem; border-radius: 0.5rem; background: var(--sunken); font-size: 0.8125rem;
  font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
iframe { display: block; width: 100%; height: 32rem; border: 1px solid var(--line); border-radius: 0.5rem; }
button { min-height: 2.75rem; padding: 0 1.25rem; border: 0; border-radius: 0.5rem; background: var(--ink); color: var(--on-ink); font: inherit; font-weight: 600; cursor: pointer; }
button.secondary { border: 1px solid var(--muted); background: transparent; color: var(--text); }
nav { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; }
@media (width < 768px) { .narrow { margin-top: 0; } .card { padding: 1rem; } ul.mails a { padding-inline: 1rem; } form button { width: 100%; } }
`;

export interface HtmlPage {
  readonly brand: string;
  readonly publicUrl: string;
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
}

const pagePolicy = (nonce: string): string =>
  `default-src 'none'; style-src 'nonce-${nonce}'; img-src 'self'; font-src 'self'; frame-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'`;

const logo = html`<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect fill="var(--cloak)" width="32" height="32" rx="8"/><path fill="none" stroke="#fbfaf8" stroke-width="1.5" stroke-linecap="round" d="M3.7 6.5c3.5 2.7 7.7 3.8 12.3 3.8s8.8-1.1 12.3-3.8"/><path fill="#fbfaf8" d="M16 12.7c-3 0-5.9-.5-8.7-1.5-.6 3.5-.2 6.5.9 9 .2.5.2 1-.1 1.5l-1.3 2.1c-.4.6-.2 1.3.4 1.6l7.6 3.2c.4.2.8.3 1.2.3z"/><path fill="var(--shade)" d="M16 12.7c3 0 5.9-.5 8.7-1.5.6 3.5.2 6.5-.9 9-.2.5-.2 1 .1 1.5l1.3 2.1c.4.6.2 1.3-.4 1.6l-7.6 3.2c-.4.2-.8.3-1.2.3z"/><path fill="#1a1a1e" d="M9.7 17.3c1.7-1 3.8-.7 4.9.9-1.5 1.2-3.8 1-4.9-.9zM22.3 17.3c-1.7-1-3.8-.7-4.9.9 1.5 1.2 3.8 1 4.9-.9z"/></svg>`;

/** Sends a page of the server: without scripts or external files, in a light and a dark theme. Its links begin at the app ("./login"). */
export const sendHtmlPage = (reply: FastifyReply, document: HtmlPage): FastifyReply => {
  const { brand, publicUrl, title, body } = document;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} &middot; ${brand}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<base href="${publicPathOf(publicUrl)}/">
<link rel="icon" href="icon.svg" type="image/svg+xml">
<style nonce="${reply.styleNonce}">${{ html: pageStyle }}</style>
</head>
<body>
<header><a href="./">${logo} ${brand}</a></header>
<main class="stack">
${body}
</main>
</body>
</html>
`;
  return reply
    .code(document.status ?? 200)
    .header("content-security-policy", pagePolicy(reply.styleNonce))
    .type("text/html; charset=utf-8")
    .send(page.html);
};

/** Sends an HTML page with the error message and a link to the start page. */
export const sendErrorPage = (
  reply: FastifyReply,
  {
    message,
    ...page
  }: Required<Pick<HtmlPage, "brand" | "publicUrl" | "status">> & { readonly message: string },
): FastifyReply =>
  sendHtmlPage(reply, {
    ...page,
    title: page.status === 404 ? "Not found" : "Not possible",
    body: narrowCard(html`<h1>${message}</h1><p><a href="./">Go to ${page.brand}</a></p>`),
  });

import type { FastifyReply } from "fastify";
import { documentStyle } from "./documentStyle.ts";
import { type Html, html } from "./html.ts";

export interface ServerDocument {
  readonly brand: string;
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
}

const policy = (nonce: string): string =>
  `default-src 'none'; style-src 'nonce-${nonce}'; img-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

const mark = html`<svg viewBox="0 0 32 32" width="28" height="28" fill="currentColor" aria-hidden="true"><path d="M1.5 8.6C6.4 9 9.2 3 16 3s9.6 6 14.5 5.6C27.6 12.6 22.4 13.6 16 13.6S4.4 12.6 1.5 8.6z"/><path fill-rule="evenodd" d="M7.4 14.6c2.5.8 5.3 1.2 8.6 1.2s6.1-.4 8.6-1.2c.2 3.2-.3 5.7-1.2 7.7l1.9 3.1c.3.5.1 1-.4 1.3L16.6 30a1.3 1.3 0 0 1-1.2 0l-8.3-3.3c-.5-.3-.7-.8-.4-1.3l1.9-3.1c-.9-2-1.4-4.5-1.2-7.7z"/></svg>`;

/** Answers with a page that the server writes itself: no script, nothing to load, readable in light and dark. */
export const sendDocument = (reply: FastifyReply, document: ServerDocument): FastifyReply => {
  const { brand, title, body } = document;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · ${brand}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style nonce="${reply.styleNonce}">${{ html: documentStyle }}</style>
</head>
<body>
<header><a href="/">${mark} ${brand}</a></header>
<main class="stack">
${body}
</main>
</body>
</html>
`;
  return reply
    .code(document.status ?? 200)
    .header("content-security-policy", policy(reply.styleNonce))
    .type("text/html; charset=utf-8")
    .send(page.html);
};

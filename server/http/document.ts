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

const mark = html`<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect fill="var(--cloak)" width="32" height="32" rx="8"/><path fill="none" stroke="#fbfaf8" stroke-width="1.5" stroke-linecap="round" d="M3.7 6.5c3.5 2.7 7.7 3.8 12.3 3.8s8.8-1.1 12.3-3.8"/><path fill="#fbfaf8" d="M16 12.7c-3 0-5.9-.5-8.7-1.5-.6 3.5-.2 6.5.9 9 .2.5.2 1-.1 1.5l-1.3 2.1c-.4.6-.2 1.3.4 1.6l7.6 3.2c.4.2.8.3 1.2.3z"/><path fill="var(--shade)" d="M16 12.7c3 0 5.9-.5 8.7-1.5.6 3.5.2 6.5-.9 9-.2.5-.2 1 .1 1.5l1.3 2.1c.4.6.2 1.3-.4 1.6l-7.6 3.2c-.4.2-.8.3-1.2.3z"/><path fill="#1a1a1e" d="M9.7 17.3c1.7-1 3.8-.7 4.9.9-1.5 1.2-3.8 1-4.9-.9zM22.3 17.3c-1.7-1-3.8-.7-4.9.9 1.5 1.2 3.8 1 4.9-.9z"/></svg>`;

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

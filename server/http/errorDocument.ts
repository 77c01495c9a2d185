import type { FastifyReply } from "fastify";
import { sendDocument } from "./document.ts";
import { html } from "./html.ts";

/** Tells a person what came in between, and offers the way home. */
export const sendErrorDocument = (
  reply: FastifyReply,
  { brand, status, message }: { readonly brand: string; readonly status: number; readonly message: string },
): FastifyReply =>
  sendDocument(reply, {
    brand,
    title: status === 404 ? "Not found" : "Not possible",
    status,
    body: html`<div class="card narrow stack"><h1>${message}</h1><p><a href="/">Go to ${brand}</a></p></div>`,
  });

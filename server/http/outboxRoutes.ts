import type { FastifyInstance, FastifyReply } from "fastify";
import PostalMime, { type Email } from "postal-mime";
import type { Outbox, OutboxEntry } from "../outbox/outbox.ts";
import { sendDocument } from "./document.ts";
import { html } from "./html.ts";
import { isOpenedHere } from "./loopback.ts";
import { outboxList, outboxMail, titleOf } from "./outboxView.ts";
import { Refusal } from "./refusal.ts";

const shown = 200;
const refreshS = 5;
const deepestNesting = 50;

/** What a mail's HTML may do here: show itself. No script, no form, nothing from elsewhere, an origin of its own. */
const mailPolicy =
  "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

interface Opened {
  readonly entry: OutboxEntry;
  readonly content: Uint8Array;
  readonly mail: Email;
}

interface WithId {
  Params: { id: string };
}

export interface OutboxRouteParts {
  readonly brand: string;
  readonly outbox: Outbox;
}

/**
 * GET /outbox: a small mail reader for the mails that are kept (D39). To whoever is not at this very machine these
 * addresses do not exist.
 */
export const outboxRoutes = ({ brand, outbox }: OutboxRouteParts) => {
  const open = async (id: string): Promise<Opened | undefined> => {
    const found = await outbox.read(id);
    if (!found) return undefined;
    const mail = await PostalMime.parse(found.content, { maxNestingDepth: deepestNesting });
    return { ...found, mail };
  };

  const gone = (reply: FastifyReply): FastifyReply =>
    sendDocument(reply, {
      brand,
      title: "No such mail",
      status: 404,
      body: html`<h1>This mail is not here</h1><p><a href="/outbox">All mail</a></p>`,
    });

  return (fastify: FastifyInstance): void => {
    fastify.addHook("preParsing", async (request) => {
      if (!isOpenedHere(request)) throw new Refusal(404, "There is nothing here.");
    });

    fastify.get<{ Querystring: Readonly<Record<string, unknown>> }>("/outbox", async ({ query }, reply) => {
      const paused = "paused" in query;
      if (!paused) reply.header("refresh", refreshS);
      const entries = await outbox.list(shown + 1);
      return sendDocument(reply, { brand, title: "Outbox", body: outboxList(entries, shown, paused) });
    });

    fastify.get<WithId>("/outbox/:id", async ({ params }, reply) => {
      const opened = await open(params.id);
      if (!opened) return gone(reply);
      const { entry, mail } = opened;
      return sendDocument(reply, { brand, title: titleOf(entry), body: outboxMail(entry, mail) });
    });

    fastify.get<WithId>("/outbox/:id/html", async ({ params }, reply) => {
      const opened = await open(params.id);
      if (!opened?.mail.html) return gone(reply);
      return reply
        .header("content-security-policy", mailPolicy)
        .header("x-frame-options", "SAMEORIGIN")
        .type("text/html; charset=utf-8")
        .send(opened.mail.html);
    });

    fastify.get<WithId>("/outbox/:id/raw", async ({ params }, reply) => {
      const found = await outbox.read(params.id);
      if (!found) return gone(reply);
      return reply
        .header("content-disposition", "attachment; filename=mail.eml")
        .type("message/rfc822")
        .send(Buffer.from(found.content));
    });
  };
};

import formbody from "node:querystring";
import type { FastifyInstance, FastifyReply } from "fastify";
import { type Html, html, sendHtmlPage } from "../../platform/http/htmlPage.ts";
import { perMinute, rateLimitFor } from "../../platform/http/limits.ts";
import { recordMaskChange } from "../maskChanges.ts";
import type { MaskDeps } from "../maskDeps.ts";
import { confirmDestination, findDestinationByToken } from "./destinationQueries.ts";

const card = (body: Html): Html => html`<div class="card narrow stack">${body}</div>`;

const questionCard = (email: string, brand: string, token: string): Html =>
  card(html`<h1>Forward mail to this address?</h1>
<p>Somebody who uses ${brand} wants mail to their masks to arrive at <strong class="mono">${email}</strong>.</p>
<p class="muted">If it was not you who asked, close this page: nothing will be forwarded.</p>
<form method="post" action="/confirm"><input type="hidden" name="token" value="${token}"><button>Yes, forward it here</button></form>`);

const confirmedCard = (email: string): Html =>
  card(html`<h1>Confirmed</h1>
<p>Mail to your masks is now forwarded to <strong class="mono">${email}</strong>.</p>
<p><a href="/">Open your masks</a></p>`);

const expiredCard = card(html`<h1>This link does not work any more</h1>
<p>It is too old, or a newer mail has taken its place. To get a new one, open the mask, choose Edit, and save it again.</p>
<p><a href="/">Open your masks</a></p>`);

const toText = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * Serves the link of a confirmation mail (D33). Opening it only shows a button, so that programs that open
 * every link in a mail confirm nothing.
 */
export const confirmationRoutes = ({ database, clock, hash, sender, feed }: MaskDeps) => {
  const { brand } = sender;
  const find = (token: string) =>
    findDestinationByToken(database.db, hash("confirmation", token), clock.now());

  const show = (reply: FastifyReply, title: string, body: Html, status = 200): FastifyReply =>
    sendHtmlPage(reply.header("referrer-policy", "same-origin"), { brand, title, body, status });

  return (fastify: FastifyInstance): void => {
    fastify.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string" },
      (_request, body, parsed) => parsed(null, formbody.parse(String(body))),
    );
    const config = { rateLimit: { max: rateLimitFor(perMinute.signIn) } };

    fastify.get<{ Querystring: { token?: unknown } }>("/confirm", { config }, async ({ query }, reply) => {
      const token = toText(query.token);
      const destination = await find(token);
      if (!destination) return show(reply, "Link", expiredCard, 404);
      return destination.confirmed_at === null
        ? show(reply, "Confirm", questionCard(destination.email, brand, token))
        : show(reply, "Confirmed", confirmedCard(destination.email));
    });

    fastify.post<{ Body: { token?: unknown } | undefined }>(
      "/confirm",
      { config },
      async ({ body }, reply) => {
        const destination = await find(toText(body?.token));
        if (!destination) return show(reply, "Link", expiredCard, 404);
        const now = clock.now();
        await database.transaction(async (db) => {
          if (await confirmDestination(db, destination.id, now))
            await recordMaskChange(db, { userId: destination.user_id, clientId: null }, "updated", null, now);
        });
        feed.wake();
        return show(reply, "Confirmed", confirmedCard(destination.email));
      },
    );
  };
};

import formbody from "node:querystring";
import type { FastifyInstance, FastifyReply } from "fastify";
import { sendDocument } from "../http/document.ts";
import { type Html, html } from "../http/html.ts";
import { perMinute } from "../http/limits.ts";
import { allowed } from "../http/rateLimit.ts";
import { confirmDestination, destinationOfLink } from "../store/destinations.ts";
import { type MaskParts, maskChanged } from "./maskParts.ts";

const card = (body: Html): Html => html`<div class="card narrow stack">${body}</div>`;

const question = (email: string, brand: string, token: string): Html =>
  card(html`<h1>Forward mail to this address?</h1>
<p>Somebody who uses ${brand} wants mail to their masks to arrive at <strong class="mono">${email}</strong>.</p>
<p class="muted">If it was not you who asked, close this page: nothing will be forwarded.</p>
<form method="post" action="/confirm"><input type="hidden" name="token" value="${token}"><button>Yes, forward it here</button></form>`);

const done = (email: string): Html =>
  card(html`<h1>Confirmed</h1>
<p>Mail to your masks is now forwarded to <strong class="mono">${email}</strong>.</p>
<p><a href="/">Open your masks</a></p>`);

const dead = card(html`<h1>This link does not work any more</h1>
<p>It is too old, or a newer mail has taken its place. To get a new one, open the mask, choose Edit, and save it again.</p>
<p><a href="/">Open your masks</a></p>`);

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * The link of a confirmation mail (D33). Opening it only asks; the button confirms. So a program that follows every
 * link in a mail to look for harm lets nothing through.
 */
export const confirmRoutes = ({ database, clock, hash, sender, feed }: MaskParts) => {
  const { brand } = sender;
  const find = (token: string) => destinationOfLink(database.db, hash("confirmation", token), clock.now());

  const show = (reply: FastifyReply, title: string, body: Html, status = 200): FastifyReply =>
    sendDocument(reply.header("referrer-policy", "same-origin"), { brand, title, body, status });

  return (fastify: FastifyInstance): void => {
    fastify.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string" },
      (_request, body, parsed) => parsed(null, formbody.parse(String(body))),
    );
    const config = { rateLimit: { max: allowed(perMinute.signIn) } };

    fastify.get<{ Querystring: { token?: unknown } }>("/confirm", { config }, async ({ query }, reply) => {
      const token = text(query.token);
      const destination = await find(token);
      if (!destination) return show(reply, "Link", dead, 404);
      return destination.confirmed_at === null
        ? show(reply, "Confirm", question(destination.email, brand, token))
        : show(reply, "Confirmed", done(destination.email));
    });

    fastify.post<{ Body: { token?: unknown } | undefined }>(
      "/confirm",
      { config },
      async ({ body }, reply) => {
        const destination = await find(text(body?.token));
        if (!destination) return show(reply, "Link", dead, 404);
        const now = clock.now();
        await database.transaction(async (db) => {
          if (await confirmDestination(db, destination.id, now))
            await maskChanged(db, destination.user_id, "updated", null, now);
        });
        feed.nudge();
        return show(reply, "Confirmed", done(destination.email));
      },
    );
  };
};

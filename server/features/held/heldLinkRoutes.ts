import formbody from "node:querystring";
import type { FastifyInstance, FastifyReply } from "fastify";
import { heldDays } from "../../../core/held/heldMail.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import { type Html, html, noHtml, sendHtmlPage } from "../../platform/http/htmlPage.ts";
import { perMinute, rateLimitFor } from "../../platform/http/limits.ts";
import type { ServerContext } from "../serverContext.ts";
import { actionsFor, createHeldLinks, type HeldLinkAction, heldLinkPath } from "./heldLinks.ts";
import { actionText, describeHeldMail } from "./heldMailTexts.ts";
import { findHeldMail, findHeldOwner, type HeldMailRow, maskAddressOf } from "./heldQueries.ts";
import type { UserHeldMails } from "./userHeldMails.ts";

export interface HeldLinkRouteDeps
  extends Pick<ServerContext, "database" | "seal" | "clock" | "hash" | "sender"> {
  readonly heldMails: UserHeldMails;
}

/** The fields of a link and of the form on its page. */
type LinkFields = { readonly [Name in "mail" | "action" | "signature"]?: unknown };

interface LinkedMail {
  readonly mail: HeldMailRow;
  readonly action: HeldLinkAction;
  readonly mask: string;
}

const card = (body: Html): Html => html`<div class="card narrow stack">${body}</div>`;

const toAppLink = html`<p><a href="/#held">Open the held mail</a></p>`;

const goneCard = card(html`<h1>This link does not work any more</h1>
<p>The mail was released or deleted, or its ${heldDays} days have passed.</p>
${toAppLink}`);

const fact = (name: string, value: string): Html =>
  value === "" ? noHtml : html`<dt>${name}</dt><dd>${value}</dd>`;

const questionCard = ({ mail, action, mask }: LinkedMail, signature: string): Html => {
  const { label, question, consequence } = actionText(action, mail, mask);
  const { subject, sender, reason, until } = describeHeldMail(mail);
  return card(html`<h1>${question}</h1>
<dl>${fact("Subject", subject)}${fact("From", sender)}${fact("Mask", mask)}${fact("Deleted on", until)}</dl>
<p class="muted">${reason}</p>
<p>${consequence}</p>
<form method="post" action="${heldLinkPath}"><input type="hidden" name="mail" value="${mail.id}"><input type="hidden" name="action" value="${action}"><input type="hidden" name="signature" value="${signature}"><button>${label}</button></form>
${toAppLink}`);
};

const doneCard = ({ mail, action, mask }: LinkedMail): Html => {
  const { title, result } = actionText(action, mail, mask);
  return card(html`<h1>${title}</h1>
<p>${result}</p>
${toAppLink}`);
};

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * Serves the links of the daily notice of held mail. Opening one only shows what will happen and a button, so that
 * programs that open every link in a mail change nothing. Whoever has the link needs no session.
 */
export const heldLinkRoutes = (deps: HeldLinkRouteDeps) => {
  const { database, seal, clock, heldMails, sender } = deps;
  const { brand, publicUrl } = sender;
  const links = createHeldLinks(deps.hash, publicUrl);

  const find = async (fields: LinkFields | undefined): Promise<LinkedMail | undefined> => {
    const id = textOf(fields?.mail);
    const userId = await findHeldOwner(database.db, id);
    const mail = userId && (await findHeldMail(database.db, seal, userId, id));
    if (!mail || clock.now() >= mail.heldAt + heldDays * dayMs) return undefined;
    const action = actionsFor(mail).find((one) => one === fields?.action);
    if (!action || !links.isSigned(mail, action, textOf(fields?.signature))) return undefined;
    return { mail, action, mask: (await maskAddressOf(database.db, mail.maskId)) ?? "its mask" };
  };
  const recordNothing = async (): Promise<void> => {};
  const run = ({ mail: { id, userId }, action }: LinkedMail): Promise<void> => {
    switch (action) {
      case "release":
        return heldMails.release(userId, { id }, recordNothing);
      case "delete":
        return heldMails.remove(userId, id, recordNothing);
      case "allow":
      case "block":
        return heldMails.decideSender(userId, id, action, recordNothing);
    }
  };
  const show = (reply: FastifyReply, title: string, body: Html, status = 200): FastifyReply =>
    sendHtmlPage(reply.header("referrer-policy", "same-origin").header("cache-control", "no-store"), {
      brand,
      title,
      body,
      status,
    });

  return (fastify: FastifyInstance): void => {
    fastify.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string" },
      (_request, body, parsed) => parsed(null, formbody.parse(String(body))),
    );
    const config = { rateLimit: { max: rateLimitFor(perMinute.signIn) } };

    fastify.get<{ Querystring: LinkFields }>(heldLinkPath, { config }, async ({ query }, reply) => {
      const linked = await find(query);
      if (!linked) return show(reply, "Link", goneCard, 404);
      return show(reply, "Held mail", questionCard(linked, textOf(query.signature)));
    });

    fastify.post<{ Body: LinkFields | undefined }>(heldLinkPath, { config }, async ({ body }, reply) => {
      const linked = await find(body);
      if (!linked) return show(reply, "Link", goneCard, 404);
      await run(linked);
      return show(reply, "Held mail", doneCard(linked));
    });
  };
};

import formbody from "node:querystring";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { WhenOff } from "../../../core/masks/mask.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { type Html, html, noHtml, sendHtmlPage } from "../../platform/http/htmlPage.ts";
import { perMinute, rateLimitFor } from "../../platform/http/limits.ts";
import { isId } from "../../platform/store/id.ts";
import type { ServerContext } from "../serverContext.ts";
import { type ActionLink, actionLinkPath, createSignedLinks, linkedActions } from "./actionLinks.ts";
import { textsOf, titleOf } from "./actionLinkTexts.ts";
import { createRunAction, type LinkedMask } from "./runAction.ts";

/** What the page of a link shows; nothing of the mask's owner. */
interface PageMask {
  readonly id: string;
  readonly email: string;
  readonly whenOff: WhenOff;
}

/** A link and the signature that its form sends back. */
interface SignedAction {
  readonly link: ActionLink;
  readonly signature: string;
}

const card = (body: Html): Html => html`<div class="card narrow stack">${body}</div>`;

const facts = ({ sender }: ActionLink, { email }: PageMask): Html =>
  html`<dl><dt>Mask</dt><dd class="mono">${email}</dd>${sender === "" ? noHtml : html`<dt>Sender</dt><dd class="mono">${sender}</dd>`}</dl>`;

const form = (
  { link: { maskId, action, sender, until }, signature }: SignedAction,
  label: string,
  kind: "primary" | "secondary" = "primary",
): Html =>
  html`<form method="post" action="${actionLinkPath}/${signature}"><input type="hidden" name="do" value="${action}"><input type="hidden" name="mask" value="${maskId}"><input type="hidden" name="sender" value="${sender}"><input type="hidden" name="until" value="${until}"><button class="${kind}">${label}</button></form>`;

const toAppLink = ({ id }: PageMask): Html =>
  html`<p><a href="/#mask/${encodeURIComponent(id)}">Open the mask</a></p>`;

/** Says what a link does before it does it. */
const questionCard = (mask: PageMask, signed: SignedAction): Html => {
  const { question, consequence, label } = textsOf(signed.link.action, mask.whenOff);
  return card(html`<h1>${question}</h1>
${facts(signed.link, mask)}
<p>${consequence}</p>
${form(signed, label)}
<p class="muted">Nothing changes before you press the button.</p>
${toAppLink(mask)}`);
};

/** Says what was done, and takes it back. */
const doneCard = (mask: PageMask, link: ActionLink, undo: SignedAction): Html => {
  const { done, consequence } = textsOf(link.action, mask.whenOff);
  return card(html`<h1>${done}</h1>
${facts(undo.link, mask)}
<p>${consequence}</p>
${form(undo, "Undo", "secondary")}
${toAppLink(mask)}`);
};

/** Says that a link is too old, not one of this server, or about a mask that is deleted. */
const goneCard: Html = card(html`<h1>This link does not work any more</h1>
<p>It is too old, or its mask was deleted. Open your masks to change them there.</p>
<p><a href="/">Open your masks</a></p>`);

/** Says why something could not be done. */
const refusedCard = (mask: PageMask, message: string): Html =>
  card(html`<h1>This was not possible</h1>
<p>${message}</p>
${toAppLink(mask)}`);

/** The fields of a link and of the form on its page. */
type LinkFields = { readonly [Name in "do" | "mask" | "sender" | "until"]?: unknown };

interface FoundLink {
  readonly mask: LinkedMask & PageMask;
  readonly link: ActionLink;
  readonly signature: string;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const readLink = (fields: LinkFields | undefined): ActionLink | null => {
  const action = linkedActions.find((one) => one === fields?.do);
  const until = textOf(fields?.until);
  const [maskId, sender] = [textOf(fields?.mask), textOf(fields?.sender)];
  if (!action || !isId(maskId) || !/^\d{1,6}$/.test(until)) return null;
  return { maskId, action, sender, until: Number(until) };
};

/**
 * Serves the links in forwarded mail. Opening one only shows what will happen and a button, so that programs that open every
 * link in a mail change nothing. Whoever has the link needs no session; it does one thing to one mask.
 */
export const actionLinkRoutes = (context: ServerContext) => {
  const { database, clock, hash, log } = context;
  const { brand, publicUrl } = context.sender;
  const links = createSignedLinks(hash, publicUrl);
  const run = createRunAction(context);

  const find = async (signature: string, fields: LinkFields | undefined): Promise<FoundLink | null> => {
    const link = readLink(fields);
    const row =
      link &&
      (await database.db
        .selectFrom("masks")
        .where("id", "=", link.maskId)
        .where("deleted_at", "is", null)
        .select(["id", "user_id as userId", "email", "active", "when_off as whenOff"])
        .executeTakeFirst());
    if (!link || !row || !links.isValid(row.userId, link, signature, clock.now())) return null;
    return { mask: { ...row, isActive: row.active === 1 }, link, signature };
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
    const path = `${actionLinkPath}/:signature`;

    fastify.get<{ Params: { signature: string }; Querystring: LinkFields }>(
      path,
      { config },
      async ({ params, query }, reply) => {
        const found = await find(params.signature, query);
        if (!found) return show(reply, "Link", goneCard, 404);
        return show(reply, titleOf(found.link.action), questionCard(found.mask, found));
      },
    );

    fastify.post<{ Params: { signature: string }; Body: LinkFields | undefined }>(
      path,
      { config },
      async ({ params, body }, reply) => {
        const found = await find(params.signature, body);
        if (!found) return show(reply, "Link", goneCard, 404);
        const { mask, link } = found;
        try {
          const undo = { ...link, action: await run(mask, link) };
          log.info({ action: link.action }, "a link in a forwarded mail was used");
          const signature = links.sign(mask.userId, undo);
          return show(reply, titleOf(link.action), doneCard(mask, link, { link: undo, signature }));
        } catch (error) {
          if (!(error instanceof UseCaseError)) throw error;
          return show(reply, titleOf(link.action), refusedCard(mask, error.message), 409);
        }
      },
    );
  };
};

import type { WhenOff } from "../../../core/masks/mask.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { type Html, html, noHtml } from "../../platform/http/htmlPage.ts";
import { linkForm, linkPages, type ReadField } from "../../platform/http/linkPages.ts";
import { isId } from "../../platform/store/id.ts";
import { type ActionLink, actionLinkPath, createSignedLinks, linkedActions } from "./actionLinks.ts";
import { textsOf, titleOf } from "./actionLinkTexts.ts";
import { selectLinkedMask } from "./linkedMask.ts";
import { createRunAction, type LinkedMask } from "./runAction.ts";

/** The part of a mask that the page of a link shows; nothing of the mask's owner. */
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

interface FoundLink extends SignedAction {
  readonly mask: LinkedMask & PageMask;
}

const facts = ({ sender }: ActionLink, { email }: PageMask): Html =>
  html`<dl><dt>Mask</dt><dd class="mono">${email}</dd>${sender === "" ? noHtml : html`<dt>Sender</dt><dd class="mono">${sender}</dd>`}</dl>`;

const form = (
  { link: { maskId, action, sender, until }, signature }: SignedAction,
  label: string,
  kind: "primary" | "secondary",
): Html =>
  linkForm({
    action: `${actionLinkPath}/${signature}`,
    fields: { do: action, mask: maskId, sender, until },
    label,
    kind,
  });

const toAppLink = ({ id }: PageMask): Html =>
  html`<p><a href="./#mask?id=${encodeURIComponent(id)}">Open the mask</a></p>`;

/** Says what a link does before it does it. */
const question = ({ mask, ...signed }: FoundLink): Html => {
  const texts = textsOf(signed.link.action, mask.whenOff);
  return html`<h1>${texts.question}</h1>
${facts(signed.link, mask)}
<p>${texts.consequence}</p>
${form(signed, texts.label, "primary")}
<p class="muted">Nothing changes before you press the button.</p>
${toAppLink(mask)}`;
};

/** Says what was done, and takes it back. */
const done = ({ mask, link }: FoundLink, undo: SignedAction): Html => {
  const texts = textsOf(link.action, mask.whenOff);
  return html`<h1>${texts.done}</h1>
${facts(undo.link, mask)}
<p>${texts.consequence}</p>
${form(undo, "Undo", "secondary")}
${toAppLink(mask)}`;
};

/** Says why something could not be done. */
const refused = (mask: PageMask, message: string): Html =>
  html`<h1>This was not possible</h1>
<p>${message}</p>
${toAppLink(mask)}`;

const readLink = (field: ReadField): ActionLink | null => {
  const action = linkedActions.find((one) => one === field("do"));
  const maskId = field("mask");
  const sender = field("sender");
  const until = field("until");
  if (!action || !isId(maskId) || !/^\d{1,6}$/.test(until)) return null;
  return { maskId, action, sender, until: Number(until) };
};

/** Serves the links in forwarded mail. Each does one thing to one mask. */
export const actionLinkRoutes = (context: ServerContext) => {
  const { database, clock, hash, log, sender } = context;
  const links = createSignedLinks(hash, sender.publicUrl);
  const run = createRunAction(context);

  const find = async (field: ReadField): Promise<FoundLink | null> => {
    const link = readLink(field);
    const signature = field("signature");
    const row = link && (await selectLinkedMask(database.db, link.maskId).executeTakeFirst());
    if (!link || !row || !links.isValid(row.userId, link, signature, clock.now())) return null;
    return { mask: { ...row, isActive: row.active === 1 }, link, signature };
  };

  return linkPages({
    sender,
    path: `${actionLinkPath}/:signature`,
    find,
    gone: html`<p>It is too old, its mask was deleted, or the account is suspended. Open your masks to change them there.</p>
<p><a href="./">Open your masks</a></p>`,
    ask: (found) => ({ title: titleOf(found.link.action), body: question(found) }),
    carryOut: async (found) => {
      const { mask, link } = found;
      const title = titleOf(link.action);
      try {
        const undo = { ...link, action: await run(mask, link) };
        log.info({ action: link.action }, "a link in a forwarded mail was used");
        const signature = links.sign(mask.userId, undo);
        return { title, body: done(found, { link: undo, signature }) };
      } catch (error) {
        if (!(error instanceof UseCaseError)) throw error;
        return { title, body: refused(mask, error.message), status: 409 };
      }
    },
  });
};

import { heldDays } from "../../../core/held/heldMail.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { type Html, html, noHtml } from "../../platform/http/htmlPage.ts";
import { linkForm, linkPages, type ReadField } from "../../platform/http/linkPages.ts";
import type { Db } from "../../platform/store/database.ts";
import { actionsFor, createHeldLinks, type HeldLinkAction, heldLinkPath } from "./heldLinks.ts";
import { actionText, describeHeldMail } from "./heldMailTexts.ts";
import { findHeldMail, findHeldOwner, type HeldMailRow, maskAddressOf } from "./heldQueries.ts";
import { decideHeldSender, type HeldMailContext, releaseHeld, removeHeld } from "./userHeldMails.ts";

export type HeldLinkContext = HeldMailContext & Pick<ServerContext, "hash" | "sender" | "feed">;

interface LinkedMail {
  readonly mail: HeldMailRow;
  readonly action: HeldLinkAction;
  readonly signature: string;
  readonly mask: string;
}

const title = "Held mail";

const toAppLink = html`<p><a href="./#held">Open the held mail</a></p>`;

const fact = (name: string, value: string): Html =>
  value === "" ? noHtml : html`<dt>${name}</dt><dd>${value}</dd>`;

const question = ({ mail, action, mask, signature }: LinkedMail): Html => {
  const { label, question: asked, consequence } = actionText(action, mail, mask);
  const { subject, sender, reason, until } = describeHeldMail(mail);
  return html`<h1>${asked}</h1>
<dl>${fact("Subject", subject)}${fact("From", sender)}${fact("Mask", mask)}${fact("Deleted on", until)}</dl>
<p class="muted">${reason}</p>
<p>${consequence}</p>
${linkForm({ action: heldLinkPath, fields: { mail: mail.id, action, signature }, label })}
${toAppLink}`;
};

const done = ({ mail, action, mask }: LinkedMail): Html => {
  const text = actionText(action, mail, mask);
  return html`<h1>${text.title}</h1>
<p>${text.result}</p>
${toAppLink}`;
};

/** Serves the links of the daily notice of held mail. */
export const heldLinkRoutes = (context: HeldLinkContext) => {
  const { database, seal, clock, hash, sender, feed } = context;
  const links = createHeldLinks(hash, sender.publicUrl);

  const find = async (field: ReadField): Promise<LinkedMail | null> => {
    const id = field("mail");
    const signature = field("signature");
    const userId = await findHeldOwner(database.db, id);
    const mail = userId && (await findHeldMail(database.db, seal, userId, id));
    if (!mail || clock.now() >= mail.heldAt + heldDays * dayMs) return null;
    const action = actionsFor(mail).find((one) => one === field("action"));
    if (!action || !links.isSigned(mail, action, signature)) return null;
    return { mail, action, signature, mask: (await maskAddressOf(database.db, mail.maskId)) ?? "its mask" };
  };
  const run = (tx: Db, { mail: { id, userId }, action }: LinkedMail): Promise<void> => {
    switch (action) {
      case "release":
        return releaseHeld(context, tx, userId, { id });
      case "delete":
        return removeHeld(context, tx, userId, id);
      case "allow":
      case "block":
        return decideHeldSender(context, tx, userId, { id, list: action });
    }
  };
  return linkPages({
    sender,
    path: heldLinkPath,
    find,
    gone: html`<p>The email was released or deleted, or its ${heldDays} days have passed.</p>
${toAppLink}`,
    ask: (linked) => ({ title, body: question(linked) }),
    carryOut: async (linked) => {
      await database.transaction((tx) => run(tx, linked));
      feed.wake();
      return { title, body: done(linked) };
    },
  });
};

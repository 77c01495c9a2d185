import type { FastifyInstance, FastifyRequest } from "fastify";
import { dayMs } from "../../../core/kernel/durations.ts";
import { actionLinkDays } from "../../../core/mail/actionLinkPlace.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { type Html, html, noHtml } from "../../platform/http/htmlPage.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { type LinkPage, linkForm, linkPages, type ReadField } from "../../platform/http/linkPages.ts";
import { actionLinkPath, createSignedLinks, unsubscribePath } from "../actionLinks/actionLinks.ts";
import { textsOf } from "../actionLinks/actionLinkTexts.ts";
import type { LeaveList, Left } from "./leaveList.ts";
import { findLeavingMask, type LeavingMask } from "./leavingMask.ts";
import { subjectOf } from "./listMail.ts";
import { nameOfList } from "./listTarget.ts";
import { createUnsubscribeLinks, type ListTarget } from "./unsubscribeLinks.ts";
import { unsubscribingsPerDay } from "./unsubscribings.ts";

interface FoundLink {
  readonly mask: LeavingMask;
  readonly target: ListTarget;
  /** The id of the list at the mask. */
  readonly list: string;
  readonly sealed: string;
  /** True if the button was pressed, here or in a mail program (RFC 8058, 3.2). */
  readonly isPressed: boolean;
  /** True if it was that of the page here, which shows what is sent. */
  readonly isConfirmed: boolean;
}

const title = "Mailing list";

const facts = ({ mask, target }: FoundLink): Html =>
  html`<dl><dt>Mask</dt><dd class="mono">${mask.email}</dd><dt>List</dt><dd class="mono">${nameOfList(target)}</dd></dl>`;

const toAppLink = ({ mask }: FoundLink): Html =>
  html`<p><a href="./#mask?id=${encodeURIComponent(mask.id)}">Open the mask</a></p>`;

const toListPage = (url: string | null): Html =>
  url === null
    ? noHtml
    : html`<p><a href="${url}" rel="noreferrer noopener">Open the page of the list</a></p>
<p class="muted">Its server then sees your network address, as that of every visitor.</p>`;

const pageOf = ({ way, page }: ListTarget): string | null => (way.kind === "mail" ? page : way.url);

const consequence = ({ mask, target: { way } }: FoundLink): Html => {
  const off =
    mask.switchesOff && mask.isActive
      ? html`<p>Then the mask is switched off. ${textsOf("switch-off", mask.whenOff).consequence}</p>`
      : noHtml;
  switch (way.kind) {
    case "one-click":
      return html`<p>This server asks the list to remove the mask, by one click of its own. The list learns nothing of you.</p>${off}`;
    case "mail":
      return html`<p>This server sends an email from the mask to the list. The list learns nothing of you. It may ask by email to confirm.</p>
<dl><dt>Subject</dt><dd>${subjectOf(way)}</dd>${way.body === "" ? noHtml : html`<dt>Text</dt><dd>${way.body}</dd>`}</dl>${off}`;
    case "page":
      return html`<p>This list can be left only on its own page, by hand.</p>`;
  }
};

/** For what a stranger may have made up: the page shows it, and its button alone sends it. */
const unproven: Html = html`<p class="muted">No signature proves that the list itself asks for this. Press the button only if what is sent, and to whom, looks right to you.</p>`;

const question = (found: FoundLink, status = 200): LinkPage => ({
  title,
  status,
  body: html`<h1>Unsubscribe from this list?</h1>
${facts(found)}
${consequence(found)}
${
  found.target.way.kind === "page"
    ? toListPage(found.target.way.url)
    : html`${found.target.isProven === true ? noHtml : unproven}${linkForm({
        action: `${unsubscribePath}/${found.sealed}`,
        fields: { "List-Unsubscribe": "One-Click", seen: "yes" },
        label: "Unsubscribe",
      })}
<p class="muted">Nothing happens before you press the button.</p>`
}
${toAppLink(found)}`,
});

const done = (found: FoundLink, heading: string, undo: Html): LinkPage => ({
  title,
  body: html`<h1>${heading}</h1>
${facts(found)}
<p>Lists may need a few days until their last email has come.</p>
${undo}
${toAppLink(found)}`,
});

const refused = (found: FoundLink, message: string, status: number): LinkPage => ({
  title,
  status,
  body: html`<h1>You are not unsubscribed</h1>
${facts(found)}
<p>${message}</p>
${toListPage(pageOf(found.target))}
${toAppLink(found)}`,
});

/** Reads the fields of a form as mail providers send it (RFC 8058, 3.2). */
const takeForms = (fastify: FastifyInstance): void => {
  fastify.addContentTypeParser(
    "multipart/form-data",
    { parseAs: "buffer", bodyLimit: 8_192 },
    async ({ headers }: FastifyRequest, body: Buffer) => {
      try {
        const type = headers["content-type"] ?? "";
        const form = await new Response(new Uint8Array(body), {
          headers: { "content-type": type },
        }).formData();
        return Object.fromEntries(form);
      } catch {
        return {};
      }
    },
  );
};

/** Serves the links that leave mailing lists: opening one asks, and its button or a mail provider's POST does it. */
export const unsubscribeRoutes = (context: ServerContext, leave: LeaveList) => {
  const { database, clock, hash, seal, sender } = context;
  const links = createUnsubscribeLinks(seal, sender.publicUrl);
  const actionLinks = createSignedLinks(hash, sender.publicUrl);

  const hashOf = (sealed: string): string => hash("unsubscribe-link", sealed);

  const find = async (field: ReadField): Promise<FoundLink | null> => {
    const sealed = field("sealed");
    const link = links.open(sealed, clock.now());
    if (!link) return null;
    const mask = await findLeavingMask(database.db, link);
    if (!mask) return null;
    const isPressed = field("List-Unsubscribe") === "One-Click";
    const isConfirmed = field("seen") === "yes";
    return { mask, target: link.target, list: link.list, sealed, isPressed, isConfirmed };
  };

  const isDone = async ({ sealed }: FoundLink): Promise<boolean> =>
    (await database.db
      .selectFrom("unsubscribings")
      .where("link_hash", "=", hashOf(sealed))
      .where("state", "=", "done")
      .select("at")
      .executeTakeFirst()) !== undefined;

  const undoOf = ({ mask }: FoundLink): Html => {
    const until = Math.floor(clock.now() / dayMs) + actionLinkDays;
    const link = { maskId: mask.id, action: "switch-on", sender: "", until } as const;
    return html`<p>The mask is switched off.</p>
${linkForm({
  action: `${actionLinkPath}/${actionLinks.sign(mask.userId, link)}`,
  fields: { do: link.action, mask: link.maskId, sender: "", until },
  label: "Switch it on again",
  kind: "secondary",
})}`;
  };

  const toPage = (found: FoundLink, left: Left): LinkPage => {
    switch (left.kind) {
      case "done":
        return done(
          found,
          found.target.way.kind === "mail" ? "The email is on its way to the list" : "You are unsubscribed",
          left.isSwitchedOff ? undoOf(found) : noHtml,
        );
      case "done-before":
        return done(found, "You have unsubscribed by this link before", noHtml);
      case "unconfirmed":
        return question(found, 409);
      case "running":
        return done(found, "You are being unsubscribed", noHtml);
      case "too-many":
        return refused(
          found,
          `You have used ${unsubscribingsPerDay} such links in a day. Try again tomorrow.`,
          429,
        );
      case "failed":
        return refused(found, `It was not possible: ${left.reason}. You can try again.`, 409);
    }
  };

  return (fastify: FastifyInstance): void => {
    takeForms(fastify);
    linkPages<FoundLink>({
      sender,
      path: `${unsubscribePath}/:sealed`,
      find,
      gone: html`<p>It is too old, its mask was deleted, or the account is suspended. Open your masks to change them there.</p>
<p><a href="./">Open your masks</a></p>`,
      ask: async (found) =>
        (await isDone(found)) ? toPage(found, { kind: "done-before" }) : question(found),
      carryOut: async (found) =>
        found.isPressed && found.target.way.kind !== "page"
          ? toPage(found, await leave(found.mask, found, hashOf(found.sealed)))
          : question(found),
      perMinute: perMinute.verify,
    })(fastify);
  };
};

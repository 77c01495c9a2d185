import type { FastifyInstance, FastifyReply } from "fastify";
import PostalMime, { type Email } from "postal-mime";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { type Html, type HtmlPage, html, noHtml, sendHtmlPage } from "../../platform/http/htmlPage.ts";
import { isOpenedLocally } from "../../platform/http/loopback.ts";
import type { Outbox, OutboxEntry } from "./outbox.ts";

const dateFormat = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

const time = (at: number): Html =>
  html`<time datetime="${new Date(at).toISOString()}">${dateFormat.format(at)}</time>`;

const size = (bytes: number): string =>
  bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} kB`;

/** Shown for an encrypted mail, whose real subject is inside. */
const encryptedSubject = "...";

const mailTitle = ({ subject, isEncrypted }: OutboxEntry): string => {
  if (isEncrypted && subject === encryptedSubject) return "Encrypted mail";
  return subject || "(no subject)";
};

const row = (entry: OutboxEntry): Html => html`<li><a href="./outbox/${entry.id}">
<span class="subject">${mailTitle(entry)}</span> ${time(entry.at)}
<span class="way muted">${entry.from || "(no sender)"} → ${entry.recipient}</span>
</a></li>`;

const empty = html`<div class="card stack">
<p><strong>No mail yet.</strong></p>
<p class="muted">Log in with any address: the mail with the code will appear here, and so will everything your masks forward.</p>
</div>`;

const refreshOn = html`The page looks for new mail by itself. <a href="./outbox?paused">Stop looking</a>`;
const refreshOff = html`<a href="./outbox">Look for new mail</a>`;

const outboxList = (
  entries: readonly OutboxEntry[],
  limit: number,
  paused: boolean,
): Html => html`<h1>Outbox</h1>
<p class="muted">Mail that would leave this server is kept here, because no NEXT_HOP is set. Only this machine can open this page. ${paused ? refreshOff : refreshOn}</p>
${entries.length === 0 ? empty : html`<ul class="mails">${entries.slice(0, limit).map(row)}</ul>`}
${entries.length > limit ? html`<p class="muted">These are the newest ${limit}; older mail is in the outbox folder.</p>` : noHtml}`;

/** Web addresses, except those that a user name before the host makes look like others. */
const address = /https?:\/\/(?![^\s<>"'/?#]*@)[^\s<>"']+[^\s<>"'.,;:!?)\]]/g;

const linkify = (text: string): Html[] => {
  const parts: Html[] = [];
  let end = 0;
  for (const { 0: url, index } of text.matchAll(address)) {
    parts.push(
      html`${text.slice(end, index)}<a href="${url}" target="_blank" rel="noopener noreferrer">${url}</a>`,
    );
    end = index + url.length;
  }
  return [...parts, html`${text.slice(end)}`];
};

const attachment = ({ filename, mimeType, content }: Email["attachments"][number]): Html => {
  const bytes = size(typeof content === "string" ? content.length : content.byteLength);
  return filename
    ? html`<li>${filename} <span class="muted">${mimeType}, ${bytes}</span></li>`
    : html`<li>${mimeType} <span class="muted">${bytes}</span></li>`;
};

const encryptedHint = (id: string): Html => html`<div class="card stack">
<p><strong>This mail is encrypted to its recipient's key, subject included.</strong> That is how it leaves this server.</p>
<p>To read it, <a href="./outbox/${id}/raw" download="${id}.eml">download it</a>, then choose “Open a mail” under “Email Encryption” in the Settings of the app, on a device that holds the key.</p>
</div>`;

/** Renders a mail; its HTML part is a separate document in a sandboxed frame. */
const outboxMail = (
  entry: OutboxEntry,
  mail: Email,
): Html => html`<nav><a href="./outbox">← All mail</a><a href="./outbox/${entry.id}/raw" download="${entry.id}.eml">Download as .eml</a></nav>
<h1>${mailTitle(entry)}</h1>
<div class="card"><dl>
<dt>From</dt><dd>${entry.from}</dd>
<dt>To</dt><dd>${entry.to}</dd>
<dt>Envelope</dt><dd class="mono">${entry.envelopeSender || "<>"} → ${entry.recipient}</dd>
<dt>Kept</dt><dd>${time(entry.at)}, ${size(entry.size)}</dd>
</dl></div>
${entry.isEncrypted ? encryptedHint(entry.id) : noHtml}
${mail.html ? html`<h2>HTML</h2><iframe sandbox="" src="./outbox/${entry.id}/html" title="The HTML part of this mail"></iframe>` : noHtml}
${mail.text ? html`<h2>Text</h2><pre>${linkify(mail.text.trimEnd())}</pre>` : noHtml}
${mail.attachments.length > 0 ? html`<h2>Attachments</h2><ul>${mail.attachments.map(attachment)}</ul>` : noHtml}`;

const maxShown = 200;
const refreshS = 5;
const maxNestingDepth = 50;

/** A displayed mail gets no scripts, forms or external content, and an opaque origin. */
const mailPolicy =
  "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

interface OpenedMail {
  readonly entry: OutboxEntry;
  readonly content: Uint8Array;
  readonly mail: Email;
}

interface WithId {
  Params: { id: string };
}

export interface OutboxRouteDeps extends Pick<HtmlPage, "brand" | "publicUrl"> {
  readonly outbox: Outbox;
}

/** Registers GET /outbox, a reader of the mails in the outbox (D39). Answers 404 to other machines. */
export const outboxRoutes = ({ outbox, ...site }: OutboxRouteDeps) => {
  const open = async (id: string): Promise<OpenedMail | undefined> => {
    const found = await outbox.read(id);
    if (!found) return undefined;
    const mail = await PostalMime.parse(found.content, { maxNestingDepth: maxNestingDepth });
    return { ...found, mail };
  };

  const sendNotFound = (reply: FastifyReply): FastifyReply =>
    sendHtmlPage(reply, {
      ...site,
      title: "No such mail",
      status: 404,
      body: html`<h1>This mail is not here</h1><p><a href="./outbox">All mail</a></p>`,
    });

  return (fastify: FastifyInstance): void => {
    fastify.addHook("preParsing", async (request) => {
      if (!isOpenedLocally(request)) throw new UseCaseError("missing", "There is nothing here.");
    });

    fastify.get<{ Querystring: Readonly<Record<string, unknown>> }>("/outbox", async ({ query }, reply) => {
      const paused = "paused" in query;
      if (!paused) reply.header("refresh", refreshS);
      const entries = await outbox.list(maxShown + 1);
      return sendHtmlPage(reply, { ...site, title: "Outbox", body: outboxList(entries, maxShown, paused) });
    });

    fastify.get<WithId>("/outbox/:id", async ({ params }, reply) => {
      const opened = await open(params.id);
      if (!opened) return sendNotFound(reply);
      const { entry, mail } = opened;
      return sendHtmlPage(reply, { ...site, title: mailTitle(entry), body: outboxMail(entry, mail) });
    });

    fastify.get<WithId>("/outbox/:id/html", async ({ params }, reply) => {
      const opened = await open(params.id);
      if (!opened?.mail.html) return sendNotFound(reply);
      return reply
        .header("content-security-policy", mailPolicy)
        .header("x-frame-options", "SAMEORIGIN")
        .type("text/html; charset=utf-8")
        .send(opened.mail.html);
    });

    fastify.get<WithId>("/outbox/:id/raw", async ({ params }, reply) => {
      const found = await outbox.read(params.id);
      if (!found) return sendNotFound(reply);
      return reply
        .header("content-disposition", "attachment; filename=mail.eml")
        .type("message/rfc822")
        .send(Buffer.from(found.content));
    });
  };
};

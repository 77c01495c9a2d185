import type { Email } from "postal-mime";
import type { OutboxEntry } from "../outbox/outbox.ts";
import { type Html, html, noHtml } from "./html.ts";

const dateFormat = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

const time = (at: number): Html =>
  html`<time datetime="${new Date(at).toISOString()}">${dateFormat.format(at)}</time>`;

const size = (bytes: number): string =>
  bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} kB`;

/** What an encrypted mail has for a subject, the true one being inside. */
const sealedSubject = "...";

export const titleOf = ({ subject, isEncrypted }: OutboxEntry): string => {
  if (isEncrypted && subject === sealedSubject) return "Encrypted mail";
  return subject || "(no subject)";
};

const row = (entry: OutboxEntry): Html => html`<li><a href="/outbox/${entry.id}">
<span class="subject">${titleOf(entry)}</span> ${time(entry.at)}
<span class="way muted">${entry.from || "(no sender)"} → ${entry.recipient}</span>
</a></li>`;

const empty = html`<div class="card stack">
<p><strong>No mail yet.</strong></p>
<p class="muted">Sign in with any address: the mail with the code will appear here, and so will everything your masks forward.</p>
</div>`;

const looking = html`It looks for new mail by itself. <a href="/outbox?paused">Stop looking</a>`;
const notLooking = html`<a href="/outbox">Look for new mail</a>`;

/** The list of kept mails, newest first; no more than `shown` of them. */
export const outboxList = (
  entries: readonly OutboxEntry[],
  shown: number,
  paused: boolean,
): Html => html`<h1>Outbox</h1>
<p class="muted">Mail that would leave this server is kept here, because no NEXT_HOP is set. Only this machine can open this page. ${paused ? notLooking : looking}</p>
${entries.length === 0 ? empty : html`<ul class="mails">${entries.slice(0, shown).map(row)}</ul>`}
${entries.length > shown ? html`<p class="muted">These are the newest ${shown}; older mail is in the outbox folder.</p>` : noHtml}`;

const address = /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]]/g;

/** Text with its web addresses as links. */
const linked = (text: string): Html[] => {
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

const howToRead = (id: string): Html => html`<div class="card stack">
<p><strong>This mail is encrypted to its recipient's key, subject included.</strong> That is how it leaves this server.</p>
<p>To read it, <a href="/outbox/${id}/raw" download="${id}.eml">download it</a>, then choose “Open a mail” under “Email Encryption” in the Settings of the app, on a device that holds the key.</p>
</div>`;

/** One mail: the envelope, the header that people read, the parts. The HTML part is a document of its own. */
export const outboxMail = (
  entry: OutboxEntry,
  mail: Email,
): Html => html`<nav><a href="/outbox">← All mail</a><a href="/outbox/${entry.id}/raw" download="${entry.id}.eml">Download as .eml</a></nav>
<h1>${titleOf(entry)}</h1>
<div class="card"><dl>
<dt>From</dt><dd>${entry.from}</dd>
<dt>To</dt><dd>${entry.to}</dd>
<dt>Envelope</dt><dd class="mono">${entry.envelopeSender || "<>"} → ${entry.recipient}</dd>
<dt>Kept</dt><dd>${time(entry.at)}, ${size(entry.size)}</dd>
</dl></div>
${entry.isEncrypted ? howToRead(entry.id) : noHtml}
${mail.html ? html`<h2>HTML</h2><iframe sandbox="" src="/outbox/${entry.id}/html" title="The HTML part of this mail"></iframe>` : noHtml}
${mail.text ? html`<h2>Text</h2><pre>${linked(mail.text.trimEnd())}</pre>` : noHtml}
${mail.attachments.length > 0 ? html`<h2>Attachments</h2><ul>${mail.attachments.map(attachment)}</ul>` : noHtml}`;

import type { Clock } from "../../core/ports/clock.ts";
import type { MailContent } from "../smtp/rawMail.ts";
import type { Database } from "../store/database.ts";
import { notifyBounce } from "./failureNotice.ts";
import { isKnownMail, markBounced } from "./queueQueries.ts";
import { toStorableAnswer } from "./smtpAnswer.ts";

/** A report that a mail was not delivered and will not be retried. */
export interface BounceReport {
  /** Answer of the server that refused the mail; empty when the report does not contain it. */
  readonly answer: string;
}

/** Bytes of a report that are read; the reported mail follows them. */
const maxReportBytes = 256 * 1024;

const readReport = async ({ size, head, chunks }: MailContent): Promise<Buffer> => {
  if (head.length === size || head.length >= maxReportBytes) return head;
  const read: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks()) {
    read.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxReportBytes) break;
  }
  return Buffer.concat(read);
};

const findStatusPart = (text: string): string | null => {
  const match = /^content-type:[ \t]*message\/(?:global-)?delivery-status\b/im.exec(text);
  return match && (text.slice(match.index).split(/\n--/, 1)[0] ?? "");
};

/**
 * Parses a delivery status notification (RFC 3464). Null unless it reports a failure: for a delay, a success, a
 * vacation reply or any other mail.
 */
export const parseBounceReport = (content: Buffer): BounceReport | null => {
  const text = content.toString("latin1", 0, maxReportBytes);
  const part = findStatusPart(text);
  if (part === null || !/^action:[ \t]*failed[ \t]*\r?$/im.test(part)) return null;
  const [, answer = ""] = /^diagnostic-code:[ \t]*smtp[ \t]*;[ \t]*([^\r\n]+)/im.exec(part) ?? [];
  return { answer };
};

/** Handles bounces: reports from servers beyond the next hop about mails that they had accepted. */
export interface Bounces {
  /** Whether `id` is a mail of ours that can still bounce. */
  readonly expects: (id: string) => Promise<boolean>;
  /** Handles a mail sent to the return path of mail `id`: notifies its owner once when it reports a failure. */
  readonly handle: (id: string, content: MailContent) => Promise<void>;
}

export const createBounces = (database: Database, clock: Pick<Clock, "now">): Bounces => ({
  expects: (id) => isKnownMail(database.db, id),
  handle: async (id, content) => {
    const failure = parseBounceReport(await readReport(content));
    if (!failure) return;
    const answer = toStorableAnswer(failure.answer);
    const now = clock.now();
    await database.transaction(async (db) => {
      const mail = await markBounced(database, db, id, { answer, now });
      if (mail) await notifyBounce(db, mail, answer, now);
    });
  },
});

import type { Clock } from "../../core/ports/clock.ts";
import type { MailContent } from "../platform/spool/mailContent.ts";
import type { Database, Db } from "../platform/store/database.ts";
import { recordSteps } from "./mailLog/logQueries.ts";
import type { PrepareStep } from "./mailLog/sealDetail.ts";
import { findLoggedCopy, isKnownMail, markBounced } from "./queue/reportedMails.ts";
import { toStorableAnswer } from "./smtpAnswer.ts";

/** Notifies the owner of a mail that a server beyond the next hop did not deliver. */
export type NotifyBounce = (
  db: Db,
  mail: { readonly userId: string | null; readonly maskId: string | null },
  answer: string,
  now: number,
) => Promise<void>;

/** A report that a mail was not delivered and will not be retried. */
export interface BounceReport {
  /** Answer of the server that refused the mail; empty when the report does not contain it. */
  readonly answer: string;
  /** The addresses that it names, as the reported mail was sent to them; at most 100. */
  readonly recipients: readonly string[];
  /** The Message-IDs in the returned headers; at most 20. */
  readonly messageIds: readonly string[];
}

const maxReportedRecipients = 100;
const maxReportedIds = 20;

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
  const named = Array.from(
    part.matchAll(/^(?:final|original)-recipient:[ \t]*rfc822[ \t]*;[ \t]*<?([^\s<>]+@[^\s<>]+)/gim),
    ([, address = ""]) => address.toLowerCase(),
  );
  const ids = text.matchAll(/^message-id:[ \t]*(?:\r?\n[ \t]{1,8})?(<[\x21-\x3b\x3d\x3f-\x7e]{1,900}>)/gim);
  return {
    answer,
    recipients: [...new Set(named)].slice(0, maxReportedRecipients),
    messageIds: Array.from(ids, ([, id = ""]) => id).slice(0, maxReportedIds),
  };
};

/** Reads a mail that may be a report of a failure; null for all others. */
export const readBounceReport = async (content: MailContent): Promise<BounceReport | null> =>
  parseBounceReport(await readReport(content));

/** Handles bounces: reports from servers beyond the next hop about mails that they had accepted. */
export interface Bounces {
  /** Whether `id` is a mail of ours that can still bounce. */
  readonly expects: (id: string) => Promise<boolean>;
  /** Handles a mail sent to the return path of mail `id`: notifies its owner once when it reports a failure. */
  readonly handle: (id: string, content: MailContent) => Promise<void>;
}

export interface BouncesDeps {
  readonly database: Database;
  readonly clock: Pick<Clock, "now">;
  readonly prepareStep: PrepareStep;
  /** Notifies the owner of a mail that was not delivered, in the transaction that records it. */
  readonly notify: NotifyBounce;
}

export const createBounces = ({ database, clock, prepareStep, notify }: BouncesDeps): Bounces => ({
  expects: (id) => isKnownMail(database.db, id),
  handle: async (id, content) => {
    const failure = await readBounceReport(content);
    if (!failure) return;
    const answer = toStorableAnswer(failure.answer);
    const now = clock.now();
    const logged = await findLoggedCopy(database.db, id);
    const detail = logged ? await prepareStep({ ...logged, isSent: false }, answer) : null;
    await database.transaction(async (db) => {
      const mail = await markBounced(database, db, id, { answer, now });
      if (mail) await notify(db, mail, answer, now);
      if (mail && logged)
        await recordSteps(database, db, [{ ...logged, copyId: id, state: "bounced", detail }], now);
    });
  },
});

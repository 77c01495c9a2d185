import { hourMs, minuteMs } from "../../../core/kernel/durations.ts";
import { type DomainName, isAtDomain } from "../../../core/mail/domainName.ts";
import { domainOf } from "../../../core/mail/emailAddress.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { readHeaderBlock } from "../../mime/headerBlock.ts";
import type { Log } from "../../platform/ops/log.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { Intake, RecipientAnswer } from "../../relay/receive/intake.ts";
import { originalSender } from "../../relay/receive/originalSender.ts";
import { maxMailBytes } from "../../smtp/smtpLimits.ts";
import { noSuchAddress } from "../../smtp/smtpReplies.ts";
import type { MailInMailbox, OpenMailbox } from "./mailbox.ts";
import { readProviderFields, searchedBytes } from "./mailboxHeader.ts";
import {
  findRecorded,
  forgetMailsExcept,
  forgetOtherNumbers,
  type MailboxOfUids,
  type MailState,
  recordMail,
} from "./mailboxQueries.ts";

/** Why a mail stays in the mailbox, with a mark. */
export type LeftBecause = "no-recipient" | "other-domain" | "no-mask" | "refused" | "too-large";

/** What becomes of a mail. */
type Fate =
  | { readonly kind: "taken" }
  | { readonly kind: "left"; readonly because: LeftBecause }
  /** It stays and is tried again. */
  | { readonly kind: "later" }
  | { readonly kind: "gone" };

export interface FetchMailboxDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly intake: Intake;
  readonly maskDomain: DomainName;
  /** Tells if mail to a domain of a user is taken here. */
  readonly takesDomain: (domain: string) => Promise<boolean>;
  /** User, host and folder, under which the store knows the mailbox. */
  readonly name: string;
  /** The address of the mailbox itself. */
  readonly own: string;
  /** The header field that the operator names, in lower case; null for the usual ones. */
  readonly recipientField: string | null;
}

/** Mails that are listed with one question. */
export const listedTogether = 1_000;
/**
 * Mails that are removed and marked with one command. Servers look through the whole mailbox to remove mail; with 11 bytes each,
 * they stay below the length of a command that every server takes (RFC 2683, 3.2.1.5).
 */
export const settledTogether = 500;
/** Without a sign of new mail the mailbox is looked through again after this time. */
const lookAgainMs = 5 * minuteMs;
/** A mail that cannot be taken yet is tried again after this time, then after twice as long each. */
const firstRetryMs = 5 * minuteMs;
const longestRetryMs = 4 * hourMs;
/** Mails whose next try is remembered; all others are tried with each look. */
const maxWaiting = 10_000;
/** Mails in a row that cannot be taken yet: the others wait for the next look, too. */
const maxLaterInRow = 20;

/** Sentences for the log, each once while the server runs. */
const hints: Readonly<Record<LeftBecause, string | null>> = {
  "no-recipient":
    "a mail in the mailbox names no recipient: have the provider add X-Original-To or Delivered-To, or name its field in IMAP_RECIPIENT_HEADER",
  "other-domain":
    "a mail in the mailbox is for no address at MASK_DOMAIN: the mailbox is no catch-all of that domain, or the provider rewrites recipients",
  "no-mask": null,
  refused: null,
  "too-large": null,
};

/** UIDs have 32 bits (RFC 9051, 2.3.1.1). */
const lastUid = 0xffff_ffff;

/** One look through the mailbox. */
interface Look {
  readonly counts: Record<Fate["kind"], number>;
  laterInRow: number;
}

interface Looking {
  readonly look: Look;
  readonly recorded: ReadonlyMap<number, MailState>;
  readonly mayGoOn: () => boolean;
}

interface Waiting {
  readonly at: number;
  readonly delayMs: number;
}

/** The beginning of a mail, as far as its provider's fields may stand, and the iterator of the rest. */
interface Begun {
  readonly pieces: readonly Buffer[];
  readonly head: Buffer;
  readonly rest: AsyncIterator<Buffer>;
}

const emptyLine = Buffer.from("\r\n\r\n");

const readBeginning = async ({ content }: MailInMailbox): Promise<Begun> => {
  const rest = content[Symbol.asyncIterator]();
  const pieces: Buffer[] = [];
  let head = Buffer.alloc(0);
  while (head.length < searchedBytes && !head.includes(emptyLine)) {
    const next = await rest.next();
    if (next.done) break;
    pieces.push(next.value);
    head = Buffer.concat([head, next.value.subarray(0, searchedBytes - head.length)]);
  }
  return { pieces, head, rest };
};

const fateOf = (answers: readonly RecipientAnswer[]): Fate => {
  const refusals = answers.flatMap(({ refusal }) => refusal ?? []);
  if (refusals.length < answers.length) return { kind: "taken" };
  if (refusals.some(({ code }) => code < 500)) return { kind: "later" };
  const isNobody = refusals.every(({ status }) => status === noSuchAddress.status);
  return { kind: "left", because: isNobody ? "no-mask" : "refused" };
};

/** Takes the mail of a mailbox, session after session; what it remembers of single mails ends with the process. */
export class MailboxFetcher {
  readonly #deps: FetchMailboxDeps;
  readonly #waiting = new Map<number, Waiting>();
  readonly #hinted = new Set<LeftBecause>();
  #validity: number | null = null;

  constructor(deps: FetchMailboxDeps) {
    this.#deps = deps;
  }

  /**
   * Takes all mail of an open mailbox, then what comes, until `isStopped`. A mail is removed when it is committed, and what the
   * commit records of it keeps a later session from taking it again. Rejects with a `MailboxError`.
   */
  async run(mailbox: OpenMailbox, isStopped: () => boolean): Promise<void> {
    const of = { mailbox: this.#deps.name, uidValidity: mailbox.uidValidity };
    if (this.#validity !== mailbox.uidValidity) this.#waiting.clear();
    this.#validity = mailbox.uidValidity;
    await forgetOtherNumbers(this.#deps.database.db, of);
    while (!isStopped()) {
      await this.#look(mailbox, of, isStopped);
      if (!isStopped()) await mailbox.wait(this.#untilNextLook());
    }
  }

  #untilNextLook(): number {
    const now = this.#deps.clock.now();
    const next = Math.min(...[...this.#waiting.values()].map(({ at }) => at), now + lookAgainMs);
    return Math.max(next - now, 1_000);
  }

  /** Takes what is in the mailbox, from the first to the last mail. */
  async #look(mailbox: OpenMailbox, of: MailboxOfUids, isStopped: () => boolean): Promise<void> {
    const look: Look = { counts: { taken: 0, left: 0, later: 0, gone: 0 }, laterInRow: 0 };
    const mayGoOn = (): boolean => !isStopped() && look.laterInRow < maxLaterInRow;
    let before = 0;
    for (let position = 1; position <= mailbox.count() && mayGoOn(); ) {
      const last = Math.min(position + listedTogether - 1, mailbox.count());
      // Where others delete mail meanwhile, positions shift.
      const uids = (await mailbox.list(position, last)).filter((uid) => uid > before);
      const end = uids.at(-1) ?? before;
      const recorded = await this.#recorded(of, uids, before + 1, end);
      let removed = 0;
      for (let at = 0; at < uids.length && mayGoOn(); at += settledTogether)
        removed += await this.#takeSome(mailbox, of, uids.slice(at, at + settledTogether), {
          look,
          recorded,
          mayGoOn,
        });
      before = end;
      position = last + 1 - removed;
    }
    if (mayGoOn()) await forgetMailsExcept(this.#deps.database.db, of, before + 1, lastUid, []);
    const { taken, left, later } = look.counts;
    if (taken + left + later > 0)
      this.#deps.log.info({ taken, left, later }, "mail was fetched from the mailbox");
  }

  /** Forgets mails between the first and the last that are not listed, and returns what is recorded of the listed ones. */
  async #recorded(
    of: MailboxOfUids,
    uids: readonly number[],
    first: number,
    last: number,
  ): Promise<ReadonlyMap<number, MailState>> {
    const { db } = this.#deps.database;
    await forgetMailsExcept(db, of, first, last, uids);
    return findRecorded(db, of, first, last);
  }

  /** Takes a few mails, then removes and marks them; returns how many are removed. */
  async #takeSome(
    mailbox: OpenMailbox,
    of: MailboxOfUids,
    uids: readonly number[],
    { look, recorded, mayGoOn }: Looking,
  ): Promise<number> {
    const taken: number[] = [];
    const left: number[] = [];
    for (const uid of uids) {
      if (!mayGoOn()) break;
      const state = recorded.get(uid);
      const fate = state === undefined ? await this.#take(mailbox, of, uid) : null;
      if (fate) look.counts[fate.kind] += 1;
      look.laterInRow = fate?.kind === "later" ? look.laterInRow + 1 : 0;
      if ((state ?? fate?.kind) === "taken") taken.push(uid);
      if (fate?.kind === "left") left.push(uid);
    }
    await this.#leave(mailbox, of, left);
    // What is recorded of them is forgotten when they are not listed any more.
    if (taken.length > 0) await mailbox.remove(taken);
    return taken.length;
  }

  /** Sees to it that mails are not read again. */
  async #leave(mailbox: OpenMailbox, of: MailboxOfUids, uids: readonly number[]): Promise<void> {
    if (uids.length === 0) return;
    if (mailbox.keepsMarks) return mailbox.mark(uids);
    const { database, clock } = this.#deps;
    for (const uid of uids) await recordMail(database.db, of, uid, "left", { now: clock.now(), again: true });
  }

  async #take(mailbox: OpenMailbox, of: MailboxOfUids, uid: number): Promise<Fate | null> {
    const { clock } = this.#deps;
    const waiting = this.#waiting.get(uid);
    if (waiting && waiting.at > clock.now()) return null;
    const fate = await this.#offer(mailbox, of, uid).catch((error: unknown) => {
      // A mail at which sessions break does not keep the others waiting.
      this.#putOff(uid);
      throw error;
    });
    if (fate.kind === "later") this.#putOff(uid);
    else this.#waiting.delete(uid);
    if (fate.kind === "left") this.#hint(fate.because);
    return fate;
  }

  #putOff(uid: number): void {
    const waiting = this.#waiting.get(uid);
    if (!waiting && this.#waiting.size >= maxWaiting) return;
    const delayMs = waiting ? Math.min(waiting.delayMs * 2, longestRetryMs) : firstRetryMs;
    this.#waiting.set(uid, { at: this.#deps.clock.now() + delayMs, delayMs });
  }

  #hint(because: LeftBecause): void {
    const sentence = hints[because];
    if (sentence === null || this.#hinted.has(because)) return;
    this.#hinted.add(because);
    this.#deps.log.warn(sentence);
  }

  async #offer(mailbox: OpenMailbox, of: MailboxOfUids, uid: number): Promise<Fate> {
    const mail = await mailbox.read(uid);
    if (!mail) return { kind: "gone" };
    if (mail.size > maxMailBytes) return { kind: "left", because: "too-large" };
    const begun = await readBeginning(mail);
    try {
      return await this.#decide(of, uid, mail, begun);
    } finally {
      await begun.rest.return?.();
    }
  }

  async #decide(of: MailboxOfUids, uid: number, mail: MailInMailbox, begun: Begun): Promise<Fate> {
    const { database, clock, intake, own, recipientField } = this.#deps;
    const { recipients, sender } = readProviderFields(begun.head, { field: recipientField, own });
    if (recipients.length === 0) return { kind: "left", because: "no-recipient" };
    const chosen = await this.#atDomains(recipients);
    if (chosen === null) return { kind: "left", because: "other-domain" };
    const content = intake.beginContent(mail.size);
    try {
      await content.add(begun.pieces);
      while (!content.refusal()) {
        const next = await begun.rest.next();
        if (next.done) break;
        await content.add([next.value]);
      }
    } catch (error) {
      content.discard();
      throw error;
    }
    const recorded = (db: Db, again: boolean) =>
      recordMail(db, of, uid, "taken", { now: clock.now(), again });
    const answers = await intake.take({
      by: "IMAP",
      sender: sender ?? authorOf(begun.head),
      recipients: chosen,
      content,
      inCommit: (db) => recorded(db, false),
    });
    const fate = fateOf(answers);
    // What is taken without a commit of copies, such as a report.
    if (fate.kind === "taken") await recorded(database.db, true);
    return fate;
  }

  /** Returns the first list with an address at a domain of masks; null where none has one. */
  async #atDomains(lists: readonly (readonly string[])[]): Promise<readonly string[] | null> {
    const { maskDomain, takesDomain } = this.#deps;
    for (const list of lists)
      for (const address of list)
        if (isAtDomain(address, maskDomain) || (await takesDomain(domainOf(address)))) return list;
    return null;
  }
}

/** Returns the address in From, where it is clear; the null sender otherwise. */
const authorOf = (head: Buffer): string => {
  const header = readHeaderBlock(head);
  const author = header && originalSender(head, header);
  return author?.kind === "one" ? author.sender.address : "";
};

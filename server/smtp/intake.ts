import type { SMTPServerDataStream } from "smtp-server";
import type { Clock } from "../../core/ports/clock.ts";
import type { Reports } from "../delivery/reports.ts";
import { CannotEncrypt } from "../encryption/mailEncryption.ts";
import type { SampleSenders } from "../insights/sampleSenders.ts";
import { type EncryptMail, encryptCopies } from "../relay/encryptCopies.ts";
import { forwarding } from "../relay/forwardedMail.ts";
import { readHeaderBlock } from "../relay/headerBlock.ts";
import { isLooping } from "../relay/mailLoop.ts";
import { type Passage, timesWritten } from "../relay/passage.ts";
import { type ArrivedMail, type PassageParts, passagesOf, spamEnvelope } from "../relay/passages.ts";
import { type Arrival, receivedField } from "../relay/receivedField.ts";
import type { GroupCommit } from "../store/groupCommit.ts";
import type { Route } from "../store/routes.ts";
import type { Acceptance, IncomingMail } from "./acceptance.ts";
import { largestCopies, largestPostmasterMail } from "./limits.ts";
import { senderOf } from "./network.ts";
import type { Concluded } from "./passageLog.ts";
import { postmasterOf } from "./postmaster.ts";
import * as replies from "./replies.ts";
import type { Reservations } from "./reservations.ts";
import type { Received, Spool } from "./spool.ts";
import type { TakenTransaction } from "./transaction.ts";
import { inWireForm } from "./wireForm.ts";

/** What MAIL and the connection said of a mail. */
export interface Envelope {
  /** Empty for the null sender. */
  readonly sender: string;
  readonly arrival: Arrival;
}

export interface IntakeParts {
  readonly maskDomain: string;
  readonly clock: Pick<Clock, "now">;
  readonly passing: PassageParts;
  readonly encryptMail: EncryptMail;
  /** Handed each mail that was accepted, for a look at who it is from. */
  readonly sampled: SampleSenders;
  /** Told of each mail that was decided about. */
  readonly concluded: (mail: Concluded) => void;
  readonly spool: Spool;
  readonly acceptance: GroupCommit<IncomingMail, Acceptance>;
  readonly reservations: Reservations;
  readonly reports: Pick<Reports, "take">;
}

const notWhole: Readonly<Record<Exclude<Received["kind"], "whole">, replies.SmtpReply>> = {
  "too-large": replies.tooLarge,
  "no-room": replies.spoolFull,
  "too-slow": replies.tooSlow,
  gone: replies.localError,
};

const answers: Readonly<Record<Acceptance["kind"], replies.SmtpReply | null>> = {
  queued: null,
  limit: replies.limitTakenMeanwhile,
  changed: replies.changedMeanwhile,
  failed: replies.localError,
};

/** The mail, read as far as every mail is, or what is against it. */
const readMail = (
  { maskDomain, clock }: IntakeParts,
  content: Buffer,
  { sender, arrival }: Envelope,
): replies.SmtpReply | ArrivedMail => {
  const header = readHeaderBlock(content);
  if (!header) return replies.headerTooLarge;
  if (isLooping(header)) return replies.mailLoop;
  const received = receivedField(arrival, maskDomain);
  return { content, header, envelopeSender: sender, arrival, received, now: clock.now() };
};

interface Queued {
  readonly acceptance: Acceptance;
  readonly passages: readonly Passage[];
  readonly refusal: replies.SmtpReply | null;
}

const isRefused = ({ decision }: Passage): boolean => decision.block?.how === "refuse";

/** What a sender is told whose mail every recipient's rules or spam filter refuse. */
const refusalOf = (passages: readonly Passage[], hasNotice: boolean): replies.SmtpReply | null => {
  if (hasNotice || passages.length === 0 || !passages.every(isRefused)) return null;
  return passages.some(({ spam }) => spam?.isSpam) ? replies.refusedAsSpam : replies.refusedByRule;
};

/** What becomes of a mail, or what is against it: so many copies that they would not fit. */
const pass = async (
  { passing, encryptMail }: IntakeParts,
  mail: ArrivedMail,
  routes: readonly Route[],
): Promise<readonly Passage[] | replies.SmtpReply> => {
  const passages = await passagesOf(passing, mail, routes);
  const copies = passages.reduce((sum, passage) => sum + timesWritten(passage), 0);
  if (copies > 1 && mail.content.length * copies > largestCopies) return replies.tooManyCopies;
  try {
    return await Promise.all(passages.map((passage) => encryptCopies(encryptMail, passage)));
  } catch (error) {
    if (error instanceof CannotEncrypt) return replies.cannotEncrypt;
    throw error;
  }
};

const queue = async (
  parts: IntakeParts,
  content: Buffer,
  envelope: Envelope,
  { month, recipients, postmaster }: TakenTransaction,
): Promise<Queued | replies.SmtpReply> => {
  const { maskDomain, spool, acceptance } = parts;
  const mail = readMail(parts, inWireForm(content), envelope);
  if ("code" in mail) return mail;
  const size = mail.content.length;
  if (postmaster !== null && size > largestPostmasterMail) return replies.tooLargeForPostmaster;
  const room = size * (recipients.length + (postmaster === null ? 0 : 1));
  if (room > largestCopies) return replies.tooManyCopies;
  if (!spool.take(room)) return replies.spoolFull;
  try {
    const passages = await pass(
      parts,
      mail,
      recipients.map(({ route }) => route),
    );
    if ("code" in passages) return passages;
    const notice =
      postmaster === null
        ? null
        : { recipient: postmaster, content: forwarding(mail, mail.received)(postmasterOf(maskDomain)) };
    const envelopeSender = envelope.sender === "" ? "" : `bounces@${maskDomain}`;
    const accepted = await acceptance.submit({ month, envelopeSender, passages, notice });
    if (accepted.kind === "queued") parts.sampled(content, spamEnvelope(mail), passages);
    return { acceptance: accepted, passages, refusal: refusalOf(passages, notice !== null) };
  } finally {
    spool.give(room);
  }
};

/**
 * Takes the content of one mail and answers for it: null is 250, and then the mail is on the disk for each of its
 * recipients. Whatever comes of it, what was held of the recipients' months is used or given back.
 */
export const takeMail = async (
  parts: IntakeParts,
  stream: SMTPServerDataStream,
  envelope: Envelope,
  transaction: TakenTransaction,
): Promise<replies.SmtpReply | null> => {
  let known: Acceptance["received"] = new Map();
  try {
    const received = await parts.spool.receive(stream, senderOf(envelope.arrival));
    if (received.kind !== "whole") return notWhole[received.kind];
    try {
      const began = performance.now();
      for (const id of transaction.reportsOf) await parts.reports.take(id, received.content);
      const result = await queue(parts, received.content, envelope, transaction);
      if ("code" in result) return result;
      const { acceptance, passages, refusal } = result;
      known = acceptance.received;
      const answer = answers[acceptance.kind] ?? refusal;
      const [code, size, ms] = [answer?.code ?? 250, received.content.length, performance.now() - began];
      parts.concluded({ acceptance, passages, code, size, ms });
      return answer;
    } finally {
      parts.spool.give(received.content.length);
    }
  } finally {
    for (const { allowance } of transaction.recipients)
      parts.reservations.settle(allowance, known.get(allowance.userId) ?? 0);
  }
};

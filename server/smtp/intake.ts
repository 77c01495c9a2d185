import type { SMTPServerDataStream } from "smtp-server";
import { forwarding } from "../relay/forwardedMail.ts";
import { readHeaderBlock } from "../relay/headerBlock.ts";
import { isLooping } from "../relay/mailLoop.ts";
import { type Arrival, receivedField } from "../relay/receivedField.ts";
import type { GroupCommit } from "../store/groupCommit.ts";
import type { Acceptance, IncomingMail } from "./acceptance.ts";
import { largestCopies, largestPostmasterMail } from "./limits.ts";
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
  readonly spool: Spool;
  readonly acceptance: GroupCommit<IncomingMail, Acceptance>;
  readonly reservations: Reservations;
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

/** The mail as it leaves for each mask, or what is against it. */
const readMail = (
  parts: IntakeParts,
  content: Buffer,
  envelope: Envelope,
): replies.SmtpReply | ((maskEmail: string) => Buffer) => {
  const header = readHeaderBlock(content);
  if (!header) return replies.headerTooLarge;
  if (isLooping(header)) return replies.mailLoop;
  const received = receivedField(envelope.arrival, parts.maskDomain);
  return forwarding({ content, header, envelopeSender: envelope.sender }, received);
};

const queue = async (
  parts: IntakeParts,
  content: Buffer,
  envelope: Envelope,
  { month, recipients, postmaster }: TakenTransaction,
): Promise<Acceptance | replies.SmtpReply> => {
  const clean = inWireForm(content);
  const forward = readMail(parts, clean, envelope);
  if (typeof forward !== "function") return forward;
  if (postmaster !== null && clean.length > largestPostmasterMail) return replies.tooLargeForPostmaster;
  const room = clean.length * (recipients.length + (postmaster === null ? 0 : 1));
  if (room > largestCopies) return replies.tooManyCopies;
  if (!parts.spool.take(room)) return replies.spoolFull;
  try {
    return await parts.acceptance.submit({
      month,
      envelopeSender: envelope.sender === "" ? "" : `bounces@${parts.maskDomain}`,
      copies: recipients.map(({ route }) => ({ route, content: forward(route.maskEmail) })),
      notice:
        postmaster === null
          ? null
          : { recipient: postmaster, content: forward(postmasterOf(parts.maskDomain)) },
    });
  } finally {
    parts.spool.give(room);
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
    const received = await parts.spool.receive(stream);
    if (received.kind !== "whole") return notWhole[received.kind];
    try {
      const result = await queue(parts, received.content, envelope, transaction);
      if (!("kind" in result)) return result;
      known = result.received;
      return answers[result.kind];
    } finally {
      parts.spool.give(received.content.length);
    }
  } finally {
    for (const { allowance } of transaction.recipients)
      parts.reservations.settle(allowance, known.get(allowance.userId) ?? 0);
  }
};

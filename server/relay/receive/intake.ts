import type { Clock } from "../../../core/ports/clock.ts";
import type { Envelope, HandedOverBy, RawMail } from "../../mime/rawMail.ts";
import { errorTrace, type Log } from "../../platform/ops/log.ts";
import type { BeginContent } from "../../platform/spool/mailContent.ts";
import { parsePath } from "../../smtp/commandLine.ts";
import { createArrivingBytes } from "../../smtp/connection/arrivingBytes.ts";
import { IncomingContent } from "../../smtp/incomingContent.ts";
import { badRecipient, badSender } from "../../smtp/mailParameters.ts";
import { maxRecipientsPerMail, spoolBytes, spoolBytesPerNetwork } from "../../smtp/smtpLimits.ts";
import { replyToError, type SmtpReply, smtpReply } from "../../smtp/smtpReplies.ts";
import type { BeginTransaction, SmtpTransaction } from "../../smtp/smtpTransaction.ts";

/** A mail that a provider has received and hands over. Its client and its envelope are what the provider says. */
export interface HandedOverMail {
  readonly by: HandedOverBy;
  /** Empty for the null sender. */
  readonly sender: string;
  readonly recipients: readonly string[];
  /** Everything that has arrived of it; it is discarded with the answer. */
  readonly content: IncomingContent;
  /** Called in the transaction that stores copies; a mail that is stored without any, such as a report, does not call it. */
  readonly inCommit?: RawMail["inCommit"];
}

/** What has become of a mail for one recipient: null is stored durably, a reply from 500 on refuses for good, any other for now. */
export interface RecipientAnswer {
  readonly recipient: string;
  readonly refusal: SmtpReply | null;
}

/** Takes mail that other servers than this one have received, as mail by SMTP is taken. */
export interface Intake {
  /** Begins the content of a mail, of 0 bytes where its size is not known. */
  readonly beginContent: (declaredSize: number) => IncomingContent;
  /** Decides about a mail and stores it; never rejects. The answers are in the order of its recipients. */
  readonly take: (mail: HandedOverMail) => Promise<readonly RecipientAnswer[]>;
}

export interface IntakeDeps {
  /** Begins the transactions of the SMTP server, which all mail passes. */
  readonly beginTransaction: BeginTransaction;
  readonly beginContent: BeginContent;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

const tooManyRecipients = smtpReply(550, "5.5.3", "Too many recipients");
const withTheOthers = smtpReply(
  451,
  "4.2.0",
  "Nothing was stored, because the mail cannot be taken for another recipient yet; try again later",
);

/** Returns an address as SMTP reads it; null where it would refuse it. */
const readAddress = (keyword: "FROM" | "TO", address: string): string | null => {
  const path = parsePath(keyword, `${keyword}:<${address}>`);
  return path?.parameters?.size === 0 ? path.address : null;
};

const isForNow = ({ code }: SmtpReply): boolean => code < 500;

const askForRecipients = async (
  { onRecipient }: SmtpTransaction,
  recipients: readonly string[],
): Promise<readonly RecipientAnswer[]> => {
  const answers: RecipientAnswer[] = [];
  for (const recipient of recipients) {
    const address = readAddress("TO", recipient);
    const refusal = address === null || address === "" ? badRecipient : await onRecipient(address);
    answers.push({ recipient, refusal });
  }
  return answers;
};

const answerAll = (recipients: readonly string[], refusal: SmtpReply): readonly RecipientAnswer[] =>
  recipients.map((recipient) => ({ recipient, refusal }));

/** Gives those recipients an answer that have been accepted. */
const answerAccepted = (
  answers: readonly RecipientAnswer[],
  refusal: SmtpReply | null,
): readonly RecipientAnswer[] =>
  answers.map((answer) => (answer.refusal === null ? { ...answer, refusal } : answer));

/**
 * Creates the intake. Unlike an SMTP client, a provider tries a mail again for all its recipients or for none: while one of them
 * cannot be taken yet, nothing is stored, so that the others do not get it several times.
 */
export const createIntake = ({ beginTransaction, beginContent, clock, log }: IntakeDeps): Intake => {
  const arriving = createArrivingBytes({ perNetwork: spoolBytesPerNetwork, ofThisHost: spoolBytes });

  const offer = async (
    transaction: SmtpTransaction,
    { by, sender, recipients, content, inCommit }: HandedOverMail,
  ): Promise<readonly RecipientAnswer[]> => {
    const answers = await askForRecipients(transaction, recipients);
    if (!answers.some(({ refusal }) => refusal === null)) return answers;
    const arrived = await content.finish();
    if (arrived.kind === "refused") {
      transaction.onContentRefused?.(arrived.reply);
      return answerAccepted(answers, arrived.reply);
    }
    if (answers.some(({ refusal }) => refusal && isForNow(refusal)))
      return answerAccepted(answers, withTheOthers);
    const envelope: Envelope = {
      ...{ sender, helo: false, remoteAddress: null, protocol: by, smtpUtf8: false },
      receivedAt: clock.now(),
    };
    const mail = { envelope, content: arrived.content, ...(inCommit && { inCommit }) };
    return answerAccepted(answers, await transaction.onMail(mail));
  };

  return {
    beginContent: (declaredSize) =>
      new IncomingContent({ beginContent, arriving, network: null }, declaredSize),
    take: async (mail) => {
      const { sender, recipients, content } = mail;
      let transaction: SmtpTransaction | null = null;
      try {
        const isSender = sender === "" || (sender.includes("@") && readAddress("FROM", sender) === sender);
        if (!isSender) return answerAll(recipients, badSender);
        if (recipients.length > maxRecipientsPerMail) return answerAll(recipients, tooManyRecipients);
        const parameters = { size: content.size(), isNullSender: sender === "", sender, remoteAddress: null };
        transaction = beginTransaction(parameters);
        return await offer(transaction, mail);
      } catch (error) {
        log.error({ error: errorTrace(error) }, "taking a mail from a provider failed");
        return answerAll(recipients, replyToError(error));
      } finally {
        transaction?.end();
        content.discard();
      }
    },
  };
};

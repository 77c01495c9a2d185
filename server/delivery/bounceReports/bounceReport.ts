import { readHeaderBlock } from "../../mime/headerBlock.ts";
import { fieldValues, fieldWords, type MailWithHeader } from "../../mime/mailFields.ts";
import { parseField } from "../../mime/mimeLeaves.ts";
import { type MailContent, readBeginning } from "../../platform/spool/mailContent.ts";
import { type ReportTexts, readReportTexts } from "./explanation.ts";
import { givesReason, isFailureSubject, saysDelay, saysFailure, toSearched } from "./failureWords.ts";
import { findSmtpAnswer, isRefusal } from "./smtpAnswerIn.ts";
import { type ReportedStatus, readStatusFields } from "./statusFields.ts";

/** A report that a mail was not delivered and will not be retried. */
export interface ReportedFailure {
  readonly kind: "failure";
  /** Answer of the server that refused the mail; empty when the report does not contain it. */
  readonly answer: string;
  /** The addresses that it names, as the reported mail was sent to them; at most 100. */
  readonly recipients: readonly string[];
  /** The Message-IDs in the returned headers; at most 20. */
  readonly messageIds: readonly string[];
}

/**
 * The report in a mail to a return path: that a mail failed; that it did not (a delay, a success, an automatic answer, a receipt,
 * a complaint); or something that is not understood.
 */
export type BounceReport =
  | ReportedFailure
  | { readonly kind: "no-failure" }
  | { readonly kind: "not-understood" };

const maxReportedRecipients = 100;
const maxReportedIds = 20;

/** Bytes of a report that are read; the reported mail follows them. */
const maxReportBytes = 256 * 1024;

const noFailure: BounceReport = { kind: "no-failure" };
const notUnderstood: BounceReport = { kind: "not-understood" };

const addressesIn = (text: string): readonly string[] =>
  text
    .split(/[\s<>()[\]:;,"'`=]+/)
    .filter((word) => word.length <= 320 && /^[^@]+@[^@]+\.[^@.]/.test(word))
    .map((word) => word.toLowerCase().replace(/\.+$/, ""));

const idPattern = /^message-id:[ \t]*(?:\r?\n[ \t]{1,8})?(<[\x21-\x3b\x3d\x3f-\x7e]{1,900}>)/gim;

const failureWith = (
  content: Buffer,
  { explanation, all }: ReportTexts,
  { answer, recipients }: Pick<ReportedFailure, "answer" | "recipients">,
): ReportedFailure => {
  const named = [...recipients, ...addressesIn(explanation)];
  const ids = [content.toString("latin1"), all].flatMap((text) =>
    Array.from(text.matchAll(idPattern), ([, id = ""]) => id),
  );
  return {
    kind: "failure",
    answer,
    recipients: [...new Set(named)].slice(0, maxReportedRecipients),
    messageIds: [...new Set(ids)].slice(0, maxReportedIds),
  };
};

/** True for a report of another kind: a receipt (RFC 8098) or a complaint (RFC 5965). */
const isOtherReport = ({ content, header }: MailWithHeader): boolean =>
  /^(?:disposition-notification|feedback-report)$/i.test(
    parseField(content, header, "content-type").params["report-type"] ?? "",
  );

/** True if a server wrote the mail, by the name or address that it gives itself. */
const isByServer = (mail: MailWithHeader): boolean => {
  const from = fieldWords(mail, "from").slice(0, 1_000);
  return from === "" || /daemon|post_?master|mail[ ._-]?(?:deliver|admin|system)|delivery[ ._-]/i.test(from);
};

/** True if it answers a mail for a person, as a note of absence does (RFC 3834). */
const isAutomaticAnswer = (mail: MailWithHeader): boolean =>
  fieldValues(mail, "auto-submitted").some((value) => /^auto-replied\b/i.test(value)) ||
  fieldValues(mail, "precedence").some((value) => /^auto_reply\b/i.test(value)) ||
  fieldValues(mail, "x-autoreply").length + fieldValues(mail, "x-autorespond").length > 0;

const joinStatus = (found: readonly ReportedStatus[]): ReportedStatus | null => {
  const failed = found.find(({ outcome }) => outcome === "failed");
  const [first = null] = found;
  return first && { ...(failed ?? first), recipients: found.flatMap(({ recipients }) => recipients) };
};

/** Reads a report without status fields by the words and fields of the servers that write such. */
const readWords = (content: Buffer, mail: MailWithHeader, texts: ReportTexts): BounceReport => {
  const subject = toSearched(fieldWords(mail, "subject"));
  const text = toSearched(texts.explanation);
  if (saysDelay(`${subject} ${text}`)) return noFailure;
  const answer = findSmtpAnswer(texts.explanation);
  const recipients = fieldValues(mail, "x-failed-recipients").flatMap(addressesIn);
  const isFailure = (): boolean =>
    recipients.length > 0 ||
    saysFailure(text) ||
    isRefusal(answer) ||
    (isByServer(mail) && (isFailureSubject(subject) || givesReason(text) || answer.startsWith("5")));
  if (recipients.length === 0 && isAutomaticAnswer(mail) && !isByServer(mail)) return noFailure;
  return isFailure() ? failureWith(content, texts, { answer, recipients }) : notUnderstood;
};

/**
 * Reads a report about the delivery of a mail: by its status fields (RFC 3464), in a part of their own or in a text, else
 * by what Exim (`X-Failed-Recipients`), qmail, Gmail, Yahoo and others write. In linear time.
 */
export const parseBounceReport = (whole: Buffer): BounceReport => {
  const content = whole.subarray(0, maxReportBytes);
  const header = readHeaderBlock(content);
  if (!header) return notUnderstood;
  const mail = { content, header };
  if (isOtherReport(mail)) return noFailure;
  const texts = readReportTexts(content, header);
  const status =
    joinStatus(texts.status.flatMap((text) => readStatusFields(text) ?? [])) ??
    readStatusFields(texts.explanation);
  if (status === null) return readWords(content, mail, texts);
  if (status.outcome !== "failed") return noFailure;
  const answer = /\d{3}/.test(status.answer)
    ? status.answer
    : findSmtpAnswer(texts.explanation) || status.answer;
  return failureWith(content, texts, { answer, recipients: status.recipients });
};

/** Reads a mail that may be a report about a delivery. */
export const readBounceReport = async (content: MailContent): Promise<BounceReport> =>
  parseBounceReport(await readBeginning(content, maxReportBytes));

/** The report of a provider about a mail that its user judged (RFC 5965). */
export interface FeedbackReport {
  /** Such as "abuse" or "not-spam", in lower case. */
  readonly type: string;
  /** Ids of queued mails of ours that it may be about; at most 10. */
  readonly mailIds: readonly string[];
}

/** Bytes that are read; the reported mail follows the report. */
export const maxFeedbackBytes = 256 * 1024;
const maxIds = 10;
/** Hexadecimal digits of an id; those of a queued mail are shorter. */
const idDigits = "(?:[0-9a-f]{2}){1,28}";

/** Types by which a user complains; others praise a mail, or are about its authentication. */
const complaintTypes = new Set(["abuse", "fraud", "opt-out", "opt-out-list", "complaint"]);

/** True if a user complains. */
export const isComplaint = ({ type }: Pick<FeedbackReport, "type">): boolean => complaintTypes.has(type);

const findReportPart = (text: string): string | null => {
  const match = /^content-type:[ \t]*message\/feedback-report\b/im.exec(text);
  return match && (text.slice(match.index).split(/\n--/, 1)[0] ?? "");
};

/**
 * Parses a report of a feedback loop (ARF, RFC 5965); null for any other mail. The mail is named by its return path, in
 * the report or in the reported header, or by the id that it was sent with.
 */
export const parseFeedbackReport = (content: Buffer): FeedbackReport | null => {
  const text = content.toString("latin1", 0, maxFeedbackBytes);
  const part = findReportPart(text);
  const type = part && /^feedback-type:[ \t]*([a-z-]{1,40})[ \t]*\r?$/im.exec(part)?.[1];
  if (!type) return null;
  const named = new RegExp(
    `(?:\\bbounces\\+|^cfbl-feedback-id:[ \\t]*(?:\\r?\\n[ \\t]{1,8})?)(${idDigits})(?:@|[ \\t]*\\r?$)`,
    "gim",
  );
  const ids = new Set<string>();
  for (const [, hex = ""] of text.matchAll(named)) {
    ids.add(Buffer.from(hex, "hex").toString("latin1"));
    if (ids.size >= maxIds) break;
  }
  return { type: type.toLowerCase(), mailIds: [...ids] };
};

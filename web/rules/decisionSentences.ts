import type { ExplainedDecision } from "../../core/relay/explanation.ts";

const listed = (addresses: readonly string[]): string => addresses.join(", ");

/** What will happen to a mail, a sentence each. */
export const decisionSentences = (decision: ExplainedDecision): readonly string[] => {
  const { block, destinations, digest, archive, tags, subject, removeTrackers, notify, autoReply } = decision;
  if (block !== null)
    return [
      block.how === "silent"
        ? "The mail is stopped. Its sender is not told."
        : "The mail is refused. Its sender is told so.",
    ];
  return [
    ...(destinations.length > 0 ? [`The mail is forwarded to ${listed(destinations)}.`] : []),
    ...(digest.length > 0 ? [`It goes to ${listed(digest)} with the next hourly mail.`] : []),
    ...(archive ? [`It is kept in the archive${archive.markAsRead ? ", marked as read" : ""}.`] : []),
    ...(tags.length > 0 ? [`It is tagged ${listed(tags)}.`] : []),
    ...(subject !== null ? [`Its subject becomes “${subject}”.`] : []),
    ...(removeTrackers ? ["Trackers are removed from it."] : []),
    ...(notify.length > 0 ? ["You are notified."] : []),
    ...(autoReply ? ["Its sender gets an answer, once in 7 days."] : []),
  ];
};

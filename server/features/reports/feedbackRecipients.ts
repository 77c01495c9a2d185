import { isFeedbackAddress } from "../../delivery/serviceAddresses.ts";
import type { MailContent } from "../../platform/spool/mailContent.ts";
import { reportsBusy, unknownMask } from "../../relay/decision/refusals.ts";
import { admitToInstallation, ofInstallation } from "../../relay/receive/installationRecipient.ts";
import { nothingRead, type RecipientKind, understood } from "../../relay/receive/recipientKind.ts";
import { refused } from "../../smtp/smtpReplies.ts";
import { maxReportMailBytes, tooLargeForReports } from "./receiveReport.ts";
import type { FoundReturnPath } from "./returnPaths.ts";

export interface FeedbackRecipientsDeps {
  /** Counts a mail for its network; false when there were too many in this hour. */
  readonly admit: (remoteAddress: string | null) => boolean;
  /** Handles a mail that may be about our mails of these ids; false when it is no report of a feedback loop. */
  readonly handle: (content: MailContent, returnedIds: readonly string[]) => Promise<boolean>;
  readonly reports: RecipientKind;
  readonly postmaster: RecipientKind;
  readonly returnPaths: RecipientKind<FoundReturnPath>;
}

/**
 * Creates the kind of the address for reports of feedback loops. A provider sends them with a sender of its own, also to the
 * postmaster and to return paths, which it stands before: other mail to a return path is a bounce.
 */
export const createFeedbackRecipients = ({
  admit,
  handle,
  reports,
  postmaster,
  returnPaths,
}: FeedbackRecipientsDeps): RecipientKind => {
  const limits = { maxBytes: maxReportMailBytes, tooLarge: tooLargeForReports, admit, busy: reportsBusy };
  const kind: RecipientKind = {
    find: ({ isOwnDomain, localPart }) =>
      isOwnDomain && isFeedbackAddress(localPart) ? ofInstallation : null,
    admit: (_found, transaction) => admitToInstallation(kind, transaction, limits),
    read: ({ content }, transaction) => {
      const { acceptedBy } = transaction;
      const returnedIds = [...acceptedBy(returnPaths).keys()];
      const isToFeedback = acceptedBy(kind).size > 0;
      const isToReturnPath = returnedIds.length > 0;
      if (!isToFeedback && !isToReturnPath && acceptedBy(postmaster).size === 0) return nothingRead;
      const isBounce = isToReturnPath && transaction.parameters.isNullSender;
      const isForOthers = transaction.hasCopies || acceptedBy(reports).size > 0;
      const isOnlyFeedback = (isToFeedback || (isToReturnPath && !isBounce)) && !isForOthers;
      const read = async () => {
        if (await handle(content, returnedIds)) return understood;
        return isOnlyFeedback ? refused(unknownMask) : nothingRead;
      };
      return read();
    },
  };
  return kind;
};

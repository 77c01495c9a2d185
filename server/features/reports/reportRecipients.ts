import { isReportAddress } from "../../delivery/serviceAddresses.ts";
import { reportsBusy } from "../../relay/decision/refusals.ts";
import { admitToInstallation, ofInstallation } from "../../relay/receive/installationRecipient.ts";
import { nothingRead, type RecipientKind } from "../../relay/receive/recipientKind.ts";
import { refused } from "../../smtp/smtpReplies.ts";
import { maxReportMailBytes, type ReceiverReportsReceiver, tooLargeForReports } from "./receiveReport.ts";

/** Creates the kind of the addresses for reports of receivers about our mail and our TLS. */
export const createReportRecipients = ({ admit, receive }: ReceiverReportsReceiver): RecipientKind => {
  const limits = { maxBytes: maxReportMailBytes, tooLarge: tooLargeForReports, admit, busy: reportsBusy };
  const kind: RecipientKind = {
    find: ({ isOwnDomain, localPart }) => (isOwnDomain && isReportAddress(localPart) ? ofInstallation : null),
    admit: (_found, transaction) => admitToInstallation(kind, transaction, limits),
    read: (mail, transaction) => {
      if (transaction.acceptedBy(kind).size === 0) return nothingRead;
      const read = async () => {
        const unread = await receive(mail, mail.readAll);
        // Where others get the mail too, they get it whatever the report is.
        return unread && !transaction.hasCopies ? refused(unread) : nothingRead;
      };
      return read();
    },
  };
  return kind;
};

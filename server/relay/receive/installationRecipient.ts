import type { SmtpReply } from "../../smtp/smtpReplies.ts";
import type { FoundRecipient, OpenTransaction, RecipientKind } from "./recipientKind.ts";

/** An address of the installation itself. */
export const ofInstallation: FoundRecipient = { route: null };

/** The limits of mail to one address of the installation. */
export interface InstallationLimits {
  /** Bytes of a mail. */
  readonly maxBytes: number;
  readonly tooLarge: SmtpReply;
  /** Counts a mail for its network; false when there were too many. */
  readonly admit: (remoteAddress: string | null) => boolean;
  readonly busy: SmtpReply;
}

/** Accepts an address of the installation, once in a transaction, or returns the reply that refuses it. */
export const admitToInstallation = (
  kind: RecipientKind,
  transaction: OpenTransaction,
  { maxBytes, tooLarge, admit, busy }: InstallationLimits,
): SmtpReply | null => {
  const { size, remoteAddress } = transaction.parameters;
  if (transaction.acceptedBy(kind).size > 0) return null;
  if (size > maxBytes) return tooLarge;
  if (!admit(remoteAddress)) return busy;
  transaction.accept(kind, "", ofInstallation);
  return null;
};

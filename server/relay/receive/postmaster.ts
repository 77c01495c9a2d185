import { isPostmaster } from "../../delivery/serviceAddresses.ts";
import type { RawMail } from "../../mime/rawMail.ts";
import { registrableDomain } from "../../platform/dns/registrableDomain.ts";
import type { Judge } from "../../proof/judge.ts";
import { postmasterBusy, tooLargeForPostmaster } from "../decision/refusals.ts";
import type { InstallationShares } from "../limits/installationShares.ts";
import { admitToInstallation, ofInstallation } from "./installationRecipient.ts";
import type { RecipientKind } from "./recipientKind.ts";

/** In bytes; the postmaster has no monthly limit. */
export const maxPostmasterMailBytes = 1024 * 1024;

/** Accepts mail for the operator of the installation, at its domain and at those of users. */
export interface Postmaster extends RecipientKind {
  /** Gets a copy of the mail. */
  readonly recipient: string;
  /** Counts a mail whose content has come; returns false when its sender, or all without a proof, have sent too many. */
  readonly take: (mail: RawMail, readAll: () => Promise<Buffer>) => Promise<boolean>;
}

/** Creates the postmaster with its limits. A sender is looked up only where too many have come without a proof. */
export const createPostmaster = (
  recipient: string,
  { judge, shares }: { readonly judge: Judge; readonly shares: InstallationShares },
): Postmaster => {
  const limits = {
    maxBytes: maxPostmasterMailBytes,
    tooLarge: tooLargeForPostmaster,
    admit: shares.admit,
    busy: postmasterBusy,
  };
  const kind: Postmaster = {
    recipient,
    find: ({ localPart }) => (isPostmaster(localPart) ? ofInstallation : null),
    admit: (_found, transaction) => admitToInstallation(kind, transaction, limits),
    take: async ({ content: { head, size }, envelope }, readAll) => {
      const { remoteAddress } = envelope;
      if (shares.take(remoteAddress, null)) return true;
      const { proof, authorDomain } = await judge({ head, size, readAll }, envelope);
      return proof === "proven" && shares.take(remoteAddress, registrableDomain(authorDomain));
    },
  };
  return kind;
};

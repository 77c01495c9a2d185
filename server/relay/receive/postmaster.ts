import type { RawMail } from "../../mime/rawMail.ts";
import { registrableDomain } from "../../platform/dns/registrableDomain.ts";
import type { Judge } from "../../proof/judge.ts";
import type { InstallationShares } from "../limits/installationShares.ts";

/** In bytes; the postmaster has no monthly limit. */
export const maxPostmasterMailBytes = 1024 * 1024;

/** Accepts mail for the operator of the installation. */
export interface Postmaster {
  readonly recipient: string;
  /** Counts a mail for its network; returns false when the limit of the network is reached. */
  readonly admit: (remoteAddress: string) => boolean;
  /** Counts a mail whose content has come; returns false when its sender, or all without a proof, have sent too many. */
  readonly take: (mail: RawMail, readAll: () => Promise<Buffer>) => Promise<boolean>;
}

/** Creates the limits of mail to the postmaster. A sender is looked up only where too many have come without a proof. */
export const createPostmaster = (
  recipient: string,
  { judge, shares }: { readonly judge: Judge; readonly shares: InstallationShares },
): Postmaster => ({
  recipient,
  admit: shares.admit,
  take: async ({ content: { head, size }, envelope }, readAll) => {
    const { remoteAddress } = envelope;
    if (shares.take(remoteAddress, null)) return true;
    const { proof, authorDomain } = await judge({ head, size, readAll }, envelope);
    return proof === "proven" && shares.take(remoteAddress, registrableDomain(authorDomain));
  },
});

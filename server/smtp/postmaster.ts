import type { Clock } from "../../core/ports/clock.ts";
import { maxPostmasterMails, postmasterWindowMs } from "./limits.ts";

/** Accepts mail for the operator of the installation. */
export interface Postmaster {
  /** Address that the mail is sent to. */
  readonly recipient: string;
  /** Counts one mail; returns false when the limit is reached. */
  readonly admit: () => boolean;
}

/** Returns the installation's own postmaster address, which is used while the operator has configured no other. */
export const postmasterAddress = (maskDomain: string): string => `postmaster@${maskDomain}`;

/** Whether a local part is one that every mail server must accept (RFC 5321, 4.5.1; RFC 2142, 4). */
export const isPostmaster = (localPart: string): boolean => /^(?:postmaster|abuse)$/i.test(localPart);

/** Creates the limit of mail to the postmaster, which no monthly limit covers. */
export const createPostmaster = (recipient: string, clock: Clock): Postmaster => {
  let admitted: readonly number[] = [];
  return {
    recipient,
    admit: () => {
      const now = clock.now();
      admitted = admitted.filter((at) => at > now - postmasterWindowMs);
      if (admitted.length >= maxPostmasterMails) return false;
      admitted = [...admitted, now];
      return true;
    },
  };
};

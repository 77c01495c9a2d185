import type { Clock } from "../../core/ports/clock.ts";
import { mostPostmasterMails, postmasterWithinMs } from "./limits.ts";

/** Mail for whoever runs the installation. */
export interface Postmaster {
  /** Where it goes. */
  readonly recipient: string;
  /** Counts one mail; false when so many have come that another one has to wait. */
  readonly admit: () => boolean;
}

/** The name in which mail for the postmaster is kept while the operator has named nobody. */
export const postmasterOf = (maskDomain: string): string => `postmaster@${maskDomain}`;

/** Whether a local part is one that every mail server answers to (RFC 5321, 4.5.1; RFC 2142, 4). */
export const isPostmaster = (localPart: string): boolean => /^(?:postmaster|abuse)$/i.test(localPart);

/** Mail to the postmaster has no month and no owner; this bounds what strangers can make of that. */
export const makePostmaster = (recipient: string, clock: Clock): Postmaster => {
  let admitted: readonly number[] = [];
  return {
    recipient,
    admit: () => {
      const now = clock.now();
      admitted = admitted.filter((at) => at > now - postmasterWithinMs);
      if (admitted.length >= mostPostmasterMails) return false;
      admitted = [...admitted, now];
      return true;
    },
  };
};

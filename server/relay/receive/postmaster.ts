import { hourMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";

/** Mails to the postmaster from all senders within `windowMs`. */
const maxMails = 30;
const windowMs = hourMs;

/** In bytes; the postmaster has no monthly limit. */
export const maxPostmasterMailBytes = 1024 * 1024;

/** Accepts mail for the operator of the installation. */
export interface Postmaster {
  readonly recipient: string;
  /** Counts one mail; returns false when the limit is reached. */
  readonly admit: () => boolean;
}

/** Creates the rate limit of mail to the postmaster, which has no monthly limit. */
export const createPostmaster = (recipient: string, clock: Clock): Postmaster => {
  let admitted: readonly number[] = [];
  return {
    recipient,
    admit: () => {
      const now = clock.now();
      admitted = admitted.filter((at) => at > now - windowMs);
      if (admitted.length >= maxMails) return false;
      admitted = [...admitted, now];
      return true;
    },
  };
};

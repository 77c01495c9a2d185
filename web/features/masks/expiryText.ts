import { dayMs } from "../../../core/kernel/durations.ts";
import type { Expiry } from "../../../core/masks/maskExpiry.ts";

const inDays = (ms: number): string => {
  const days = Math.ceil(ms / dayMs);
  return days <= 1 ? "within a day" : `in ${days} days`;
};

/** A condition that is not set or has run out counts as none. */
const words = (parts: readonly (string | 0 | false | undefined)[], between: string): string =>
  parts.filter(Boolean).join(between);

/** Says when a mask expires, as in "Expires in 3 days or after 2 more emails"; empty for never. */
export const expiryText = (expiry: Expiry | null | undefined, now: number): string => {
  if (!expiry) return "";
  const { at, mails, mailsLeft = mails, idleAt, firstSender } = expiry;
  const when = words(
    [
      at && inDays(at - now),
      mailsLeft && `after ${mailsLeft} more email${mailsLeft === 1 ? "" : "s"}`,
      idleAt && `${inDays(idleAt - now)} without mail`,
    ],
    " or ",
  );
  return words([when && `Expires ${when}`, firstSender && "Locks to the first sender"], ". ");
};

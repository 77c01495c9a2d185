import { networkOf, widerNetworkOf } from "../../platform/ops/networkOf.ts";
import type { Rates } from "../../platform/rates/rates.ts";
import type { SmtpReply } from "../../smtp/smtpReplies.ts";
import { tooManyUnknown } from "../decision/refusals.ts";

/** Unknown recipients that an IPv4 address or a /64 may name at once, and by and by. */
export const unknownOfNetwork = { burst: 50, perSecond: 1 / 60 };
/** Those of a /24 or a /56. */
const unknownOfWiderNetwork = { burst: 150, perSecond: 1 / 20 };
/**
 * The amount that each accepted copy of a mail gives back, so that senders of much wanted mail may have some wrong addresses.
 */
const givenBackPerCopy = 0.25;
/** The further cost of naming one too many, in unknown recipients: ten minutes and more. */
const penalty = 10;

/** The most networks that are counted at a time. */
const maxNetworks = 20_000;

/** Limits how many unknown recipients networks name, against guessing of masks. */
export interface UnknownRecipients {
  /** Returns the reply to any recipient, known or not, while a network of the address has named too many; null otherwise. */
  readonly refusalFor: (remoteAddress: string | null) => SmtpReply | null;
  /** Counts an unknown recipient; returns whether its answer should wait. */
  readonly record: (remoteAddress: string | null) => boolean;
  readonly recordAccepted: (remoteAddress: string | null, copies: number) => void;
}

export interface UnknownRecipientsDeps {
  readonly rates: Rates;
  /** Addresses of servers that speak for many senders. */
  readonly isUnlimited: (address: string) => boolean;
}

/** Creates the limits, which begin with nothing counted. */
export const createUnknownRecipients = ({ rates, isUnlimited }: UnknownRecipientsDeps): UnknownRecipients => {
  const buckets = rates.buckets("unknown recipients", maxNetworks);
  const countedFor = (address: string | null) =>
    address === null || isUnlimited(address)
      ? []
      : ([
          [networkOf(address), unknownOfNetwork],
          [widerNetworkOf(address), unknownOfWiderNetwork],
        ] as const);
  return {
    refusalFor: (remoteAddress) =>
      countedFor(remoteAddress).some(([key, allowance]) => buckets.left(key, allowance) < 1)
        ? tooManyUnknown
        : null,
    record: (remoteAddress) => {
      const counted = countedFor(remoteAddress);
      for (const [key, allowance] of counted) {
        const isLast = buckets.left(key, allowance) < 2;
        buckets.take(key, allowance, isLast ? 1 + penalty : 1);
      }
      return counted.length > 0;
    },
    recordAccepted: (remoteAddress, copies) => {
      for (const [key, allowance] of countedFor(remoteAddress))
        if (buckets.left(key, allowance) < allowance.burst)
          buckets.take(key, allowance, -givenBackPerCopy * copies);
    },
  };
};

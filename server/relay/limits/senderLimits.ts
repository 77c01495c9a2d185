import { domainOf } from "../../../core/mail/emailAddress.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { IsInNetworks } from "../../platform/dns/networkRanges.ts";
import { registrableDomain } from "../../platform/dns/registrableDomain.ts";
import { networkOf } from "../../platform/ops/networkOf.ts";
import type { Rates } from "../../platform/rates/rates.ts";
import { type Refused, refused } from "../../smtp/smtpReplies.ts";
import type { MailParameters } from "../../smtp/smtpTransaction.ts";
import type { MailDecision } from "../decision/mailDecision.ts";
import { dailyShareUsedUp, tooMuchFromSender } from "../decision/refusals.ts";
import { createUsedUpShares, isShareUsedUp, shareSources } from "./dailyShare.ts";
import {
  type CountedMailTicket,
  createSenderRates,
  type MailOrigin,
  type RateLimits,
} from "./senderRates.ts";

/** A mail that was counted before it arrives. */
export interface CountedMail {
  readonly kind: "counted";
  readonly ticket: CountedMailTicket;
}

/** Limits what one sender's domain, and one network, may send to an account (D54). */
export interface SenderLimits {
  /** Null for networks that speak for many senders, which are not limited. */
  readonly originOf: (parameters: Pick<MailParameters, "sender" | "remoteAddress">) => MailOrigin | null;
  /** Counts a mail to an account before it arrives, or refuses it. */
  readonly admit: (userId: string, origin: MailOrigin | null) => CountedMail | Refused;
  /** Returns whose daily share the mail of these decisions counts for. */
  readonly sourcesOf: (origin: MailOrigin | null, decisions: readonly MailDecision[]) => readonly string[];
  /** True if a commit would refuse the mail, as far as this process knows. */
  readonly isUsedUp: (decisions: readonly MailDecision[], sources: readonly string[]) => boolean;
  readonly recordUsedUp: (shares: readonly string[]) => void;
}

export interface SenderLimitsDeps {
  readonly limits: RateLimits;
  /** Networks that speak for many senders. */
  readonly isTrusted: IsInNetworks;
  readonly clock: Pick<Clock, "now">;
  readonly rates: Rates;
}

const unlimited: CountedMail = { kind: "counted", ticket: { cancel: () => {} } };

/** Creates the limits; the rates begin at zero, the daily shares are counted in the store. */
export const createSenderLimits = ({
  limits,
  isTrusted,
  clock,
  rates: shared,
}: SenderLimitsDeps): SenderLimits => {
  const rates = createSenderRates(limits, clock, shared);
  const shares = createUsedUpShares(clock.now);
  return {
    originOf: ({ sender, remoteAddress }) =>
      remoteAddress !== null && isTrusted(remoteAddress)
        ? null
        : { domain: registrableDomain(domainOf(sender)), network: networkOf(remoteAddress) },
    admit: (userId, origin) => {
      if (!origin) return unlimited;
      if (isShareUsedUp(shares, userId, origin)) return refused(dailyShareUsedUp);
      const ticket = rates.count(userId, origin);
      return ticket ? { kind: "counted", ticket } : refused(tooMuchFromSender);
    },
    sourcesOf: (origin, [decided]) => (origin && decided ? shareSources(origin, decided) : []),
    isUsedUp: (decisions, sources) =>
      decisions.some(({ route, block }) => block === null && shares.isUsedUp(route.userId, sources)),
    recordUsedUp: shares.add,
  };
};

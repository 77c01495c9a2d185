import { domainToASCII } from "node:url";
import { domainOf, localPartOf } from "../../core/mail/emailAddress.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Reports } from "../delivery/reports.ts";
import { type ReturnPath, readReturnPath } from "../delivery/returnPath.ts";
import type { Route } from "../store/routes.ts";
import { monthOf } from "../store/usage.ts";
import { largestCopies, largestPostmasterMail } from "./limits.ts";
import { isPostmaster, type Postmaster } from "./postmaster.ts";
import * as replies from "./replies.ts";
import type { Allowance, Reservations } from "./reservations.ts";

/** A recipient that was answered 250, and the mail of its owner's month that is held for it. */
export interface AcceptedRecipient {
  readonly route: Route;
  readonly allowance: Allowance;
}

/** One mail transaction, from MAIL to its end. */
export interface Transaction {
  /** Answers a RCPT: null takes the recipient. */
  readonly add: (address: string) => Promise<replies.SmtpReply | null>;
  /** Ends it, and gives back what is held for it. */
  readonly end: () => void;
  /** Ends it and hands over each mask once, however often it was named: the caller answers for what is held. */
  readonly take: () => TakenTransaction;
}

/** What a transaction has come to when its content arrives. */
export interface TakenTransaction {
  /** The month it counts for. */
  readonly month: string;
  readonly recipients: readonly AcceptedRecipient[];
  /** Where a copy for the postmaster goes; null when none was asked for. */
  readonly postmaster: string | null;
  /** The mails of ours that it may report of. */
  readonly reportsOf: readonly string[];
}

/** What MAIL said. */
export interface Said {
  /** Bytes, as SIZE has it; 0 when it said nothing. */
  readonly size: number;
  /** Whether it comes from nobody, as reports do (RFC 5321, 4.5.5). */
  readonly isNullSender: boolean;
}

export interface TransactionParts {
  readonly maskDomain: string;
  readonly routeOf: (address: string) => Promise<Route | null>;
  readonly reservations: Reservations;
  readonly postmaster: Postmaster;
  readonly reports: Pick<Reports, "expects">;
  readonly clock: Clock;
}

/** A local part that was quoted without need names the same mailbox (RFC 5321, 4.1.2). */
const unquoted = (localPart: string): string =>
  /^".*"$/.test(localPart) ? localPart.slice(1, -1).replace(/\\(.)/g, "$1") : localPart;

/** What a mailbox itself has against a mail; null when nothing. */
const refusalOf = (route: Route | null): replies.SmtpReply | null => {
  if (!route) return replies.unknownMask;
  if (!route.active) return replies.inactiveMask;
  return route.confirmed ? null : replies.awaitingConfirmation;
};

/** Begins a transaction. */
export const beginTransaction = (parts: TransactionParts, said: Said): Transaction => {
  const { size: declaredSize, isNullSender } = said;
  const reportsOf = new Set<string>();
  const accepted = new Map<string, AcceptedRecipient>();
  const month = monthOf(parts.clock.now());
  let over = false;
  let toPostmaster = false;

  const isOurs = (address: string): boolean =>
    !address.includes("@") || domainToASCII(domainOf(address)) === domainToASCII(parts.maskDomain);

  const hold = async (route: Route): Promise<replies.SmtpReply | null> => {
    const { userId, maskId, emailsPerMonth: limit } = route;
    const allowance = { userId, month, limit };
    const own = [...accepted.values()].filter(({ route }) => route.userId === userId).length;
    const held = await parts.reservations.hold(allowance, own);
    if (held !== "held") return held === "used-up" ? replies.monthlyLimitReached : replies.lastOnesComing;
    if (over) parts.reservations.settle(allowance, 0);
    else accepted.set(maskId, { route, allowance });
    return null;
  };

  const addPostmaster = (): replies.SmtpReply | null => {
    if (toPostmaster) return null;
    if (declaredSize > largestPostmasterMail) return replies.tooLargeForPostmaster;
    toPostmaster = parts.postmaster.admit();
    return toPostmaster ? null : replies.postmasterBusy;
  };

  const addReport = async ({ id }: ReturnPath): Promise<replies.SmtpReply | null> => {
    if (!isNullSender) return replies.unknownMask;
    if (id === null) return null;
    if (!(await parts.reports.expects(id))) return replies.unknownMask;
    reportsOf.add(id);
    return null;
  };

  const end = (): void => {
    if (!over) for (const { allowance } of accepted.values()) parts.reservations.settle(allowance, 0);
    over = true;
  };

  return {
    add: async (address) => {
      if (!isOurs(address)) return replies.relayRefused;
      const localPart = unquoted(address.includes("@") ? localPartOf(address) : address);
      if (isPostmaster(localPart)) return addPostmaster();
      const returnPath = readReturnPath(localPart);
      if (returnPath) return addReport(returnPath);
      const route = await parts.routeOf(`${localPart}@${parts.maskDomain}`);
      const refusal = refusalOf(route);
      if (!route || refusal) return refusal;
      if (accepted.has(route.maskId)) return null;
      return declaredSize * (accepted.size + 1) > largestCopies ? replies.tooManyForSize : hold(route);
    },
    end,
    take: () => {
      over = true;
      return {
        month,
        recipients: [...accepted.values()],
        postmaster: toPostmaster ? parts.postmaster.recipient : null,
        reportsOf: [...reportsOf],
      };
    },
  };
};

import { domainToASCII } from "node:url";
import { domainOf, localPartOf } from "../../core/mail/emailAddress.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { type Bounces, parseReturnPath, type ReturnPath } from "../delivery/bounces.ts";
import { monthOf } from "../delivery/usageQueries.ts";
import type { MailRoute } from "../masks/mailRoute.ts";
import { maxCopiesBytes, maxPostmasterMailBytes } from "./limits.ts";
import { isPostmaster, type Postmaster } from "./postmaster.ts";
import * as replies from "./replies.ts";
import type { Allowance, Reservations } from "./reservations.ts";

/** An accepted recipient, and the month in which one mail is reserved for it. */
export interface AcceptedRecipient {
  readonly route: MailRoute;
  readonly allowance: Allowance;
}

/** One mail transaction, from MAIL to its end. */
export interface Transaction {
  /** Handles RCPT; null accepts the recipient. */
  readonly add: (address: string) => Promise<replies.SmtpReply | null>;
  /** Ends the transaction and releases its reservations. */
  readonly end: () => void;
  /** Ends the transaction and returns each mask once; the caller releases the reservations. */
  readonly close: () => ClosedTransaction;
}

/** Result of a transaction when its content arrives. */
export interface ClosedTransaction {
  /** Month the mail is counted for. */
  readonly month: string;
  readonly recipients: readonly AcceptedRecipient[];
  /** Address for the postmaster's copy; null when the postmaster is not a recipient. */
  readonly postmaster: string | null;
  /** Ids of our mails that this mail may be a bounce of. */
  readonly bouncedIds: readonly string[];
}

/** Parameters of MAIL. */
export interface MailParameters {
  /** Bytes from SIZE; 0 when missing. */
  readonly size: number;
  /** Whether the envelope sender is empty, as in bounces (RFC 5321, 4.5.5). */
  readonly isNullSender: boolean;
}

export interface TransactionDeps {
  readonly maskDomain: string;
  readonly findRouteOf: (address: string) => Promise<MailRoute | null>;
  readonly reservations: Reservations;
  readonly postmaster: Postmaster;
  readonly bounces: Pick<Bounces, "expects">;
  readonly clock: Clock;
}

/** Removes unnecessary quotes of a local part, which names the same mailbox without them (RFC 5321, 4.1.2). */
const unquoted = (localPart: string): string =>
  /^".*"$/.test(localPart) ? localPart.slice(1, -1).replace(/\\(.)/g, "$1") : localPart;

/** Returns the reply when a mask cannot receive mail; null when it can. */
const refusalOf = (route: MailRoute | null): replies.SmtpReply | null => {
  if (!route) return replies.unknownMask;
  if (!route.active) return replies.inactiveMask;
  return route.confirmed ? null : replies.awaitingConfirmation;
};

/** Begins a transaction. */
export const beginTransaction = (deps: TransactionDeps, parameters: MailParameters): Transaction => {
  const { size: declaredSize, isNullSender } = parameters;
  const reportsOf = new Set<string>();
  const accepted = new Map<string, AcceptedRecipient>();
  const month = monthOf(deps.clock.now());
  let isOver = false;
  let isToPostmaster = false;

  const isOurs = (address: string): boolean =>
    !address.includes("@") || domainToASCII(domainOf(address)) === domainToASCII(deps.maskDomain);

  const reserve = async (route: MailRoute): Promise<replies.SmtpReply | null> => {
    const { userId, maskId, emailsPerMonth: limit } = route;
    const allowance = { userId, month, limit };
    const own = [...accepted.values()].filter(({ route }) => route.userId === userId).length;
    const result = await deps.reservations.reserve(allowance, own);
    if (result !== "held")
      return result === "used-up" ? replies.monthlyLimitReached : replies.lastMailsPending;
    if (isOver) deps.reservations.release(allowance, 0);
    else accepted.set(maskId, { route, allowance });
    return null;
  };

  const addPostmaster = (): replies.SmtpReply | null => {
    if (isToPostmaster) return null;
    if (declaredSize > maxPostmasterMailBytes) return replies.tooLargeForPostmaster;
    isToPostmaster = deps.postmaster.admit();
    return isToPostmaster ? null : replies.postmasterBusy;
  };

  const addBounce = async ({ id }: ReturnPath): Promise<replies.SmtpReply | null> => {
    if (!isNullSender) return replies.unknownMask;
    if (id === null) return null;
    if (!(await deps.bounces.expects(id))) return replies.unknownMask;
    reportsOf.add(id);
    return null;
  };

  const end = (): void => {
    if (!isOver) for (const { allowance } of accepted.values()) deps.reservations.release(allowance, 0);
    isOver = true;
  };

  return {
    add: async (address) => {
      if (!isOurs(address)) return replies.relayRefused;
      const localPart = unquoted(address.includes("@") ? localPartOf(address) : address);
      if (isPostmaster(localPart)) return addPostmaster();
      const returnPath = parseReturnPath(localPart);
      if (returnPath) return addBounce(returnPath);
      const route = await deps.findRouteOf(`${localPart}@${deps.maskDomain}`);
      const refusal = refusalOf(route);
      if (!route || refusal) return refusal;
      if (accepted.has(route.maskId)) return null;
      return declaredSize * (accepted.size + 1) > maxCopiesBytes ? replies.tooManyForSize : reserve(route);
    },
    end,
    close: () => {
      isOver = true;
      return {
        month,
        recipients: [...accepted.values()],
        postmaster: isToPostmaster ? deps.postmaster.recipient : null,
        bouncedIds: [...reportsOf],
      };
    },
  };
};

import { domainToASCII } from "node:url";
import { domainOf, localPartOf, mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Bounces } from "../../delivery/bounces.ts";
import { isPostmaster, parseReturnPath, type ReturnPath } from "../../delivery/ownAddresses.ts";
import { monthOf } from "../../delivery/usageQueries.ts";
import { parseReverseLocalPart } from "../../features/correspondents/reverseAddress.ts";
import type { ReverseAddress } from "../../features/correspondents/reverseAddresses.ts";
import type { MasksByMail, NoMask } from "../../features/domains/masksByMail.ts";
import type { MailRoute } from "../../features/masks/mailRoute.ts";
import type { RawMail } from "../../mime/rawMail.ts";
import type { Allowance, Reservations } from "../limits/reservations.ts";
import type { SenderLimits } from "../limits/senderLimits.ts";
import type { CountedMailTicket, MailOrigin } from "../limits/senderRates.ts";
import type { UnknownRecipients } from "../limits/unknownRecipients.ts";
import type { MailLog } from "../plan/planLog.ts";
import * as refusals from "../plan/refusals.ts";
import type { Replies } from "../replies/replies.ts";
import { answerOf, separateRecipients, unknownReverseAddress } from "../replies/replyRefusals.ts";
import { maxMailBytes } from "../smtp/limits.ts";
import type { SmtpReply } from "../smtp/replies.ts";
import type { MailParameters, SmtpTransaction } from "../smtp/transaction.ts";
import { maxPostmasterMailBytes, type Postmaster } from "./postmaster.ts";

/** Bytes of all copies of one mail together. */
export const maxCopiesBytes = 4 * maxMailBytes;

/** An accepted recipient, and the month in which one mail is reserved for it. */
export interface AcceptedRecipient {
  readonly route: MailRoute;
  readonly allowance: Allowance;
  readonly ticket: CountedMailTicket;
}

/** The accepted recipients of a mail whose content has arrived. */
export interface AcceptedMail {
  /** The month that the mail counts for. */
  readonly month: string;
  readonly recipients: readonly AcceptedRecipient[];
  /** Address for the postmaster's copy; null when the postmaster is not a recipient. */
  readonly postmaster: string | null;
  /** Ids of our mails that this mail may be a bounce of. */
  readonly bouncedIds: readonly string[];
  /** Null where the client speaks for many senders. */
  readonly origin: MailOrigin | null;
}

interface ReplyReceiver extends Pick<Replies, "find"> {
  readonly receive: (mail: RawMail, recipients: readonly ReverseAddress[]) => Promise<SmtpReply | null>;
}

export interface TransactionDeps {
  readonly maskDomain: string;
  /** The installation's own address, whose help an answer names. */
  readonly publicUrl: string;
  readonly findRouteOf: (address: string) => Promise<MailRoute | null>;
  readonly masksByMail: Pick<MasksByMail, "hasDomain" | "routeTo">;
  /** Notifies the owner of mail to a mask that is off, where they want that. */
  readonly noticeOffMail: (route: MailRoute) => Promise<void>;
  readonly reservations: Reservations;
  readonly senderLimits: SenderLimits;
  readonly unknownRecipients: UnknownRecipients;
  readonly postmaster: Postmaster;
  readonly replies: ReplyReceiver;
  readonly bounces: Pick<Bounces, "expects">;
  readonly clock: Clock;
  readonly mailLog: Pick<MailLog, "refused">;
  /** Plans, encrypts and stores a mail; uses or releases the reservations of its recipients. */
  readonly receive: (mail: RawMail, accepted: AcceptedMail) => Promise<SmtpReply | null>;
}

/** Without unnecessary quotes a local part names the same mailbox (RFC 5321, 4.1.2). */
const unquoted = (localPart: string): string =>
  /^".*"$/.test(localPart) ? localPart.slice(1, -1).replace(/\\(.)/g, "$1") : localPart;

/** null when the mask takes mail. */
const refusalOf = (route: MailRoute): SmtpReply | null => {
  if (!route.active && route.whenOff === "refuse") return refusals.inactiveMask;
  return route.confirmed ? null : refusals.awaitingConfirmation;
};

/** Begins a transaction; recipients may be masks that take mail or are made by it, the postmaster, and return paths. */
export const beginTransaction = (deps: TransactionDeps, parameters: MailParameters): SmtpTransaction => {
  const { size: declaredSize, isNullSender, sender, remoteAddress } = parameters;
  const origin = deps.senderLimits.originOf(parameters);
  const reportsOf = new Set<string>();
  const accepted = new Map<string, AcceptedRecipient>();
  const replyTo = new Map<string, ReverseAddress>();
  /** By address. */
  const newRoutes = new Map<string, MailRoute>();
  const month = monthOf(deps.clock.now());
  let isOver = false;
  let isToPostmaster = false;

  const unknownReverse = answerOf(unknownReverseAddress, deps.publicUrl);

  const isOurs = (address: string): boolean => {
    const domain = domainOf(address);
    if (!address.includes("@") || domain === deps.maskDomain) return true;
    return domainToASCII(domain) === domainToASCII(deps.maskDomain);
  };

  const reserve = async (route: MailRoute): Promise<SmtpReply | null> => {
    const { userId, maskId, emailsPerMonth: limit } = route;
    const allowance = { userId, month, limit };
    const own = [...accepted.values()].filter(({ route }) => route.userId === userId).length;
    const result = await deps.reservations.reserve(allowance, own);
    if (result !== "held")
      return result === "used-up" ? refusals.monthlyLimitReached : refusals.lastMailsPending;
    const ticket = deps.senderLimits.admit(userId, origin);
    if ("code" in ticket || isOver) deps.reservations.release(allowance, 0);
    if ("code" in ticket) return ticket;
    if (isOver) ticket.cancel(false);
    else accepted.set(maskId, { route, allowance, ticket });
    return null;
  };

  const addPostmaster = (): SmtpReply | null => {
    if (isToPostmaster) return null;
    if (declaredSize > maxPostmasterMailBytes) return refusals.tooLargeForPostmaster;
    isToPostmaster = deps.postmaster.admit();
    return isToPostmaster ? null : refusals.postmasterBusy;
  };

  const addBounce = async ({ id }: ReturnPath): Promise<SmtpReply | null> => {
    if (!isNullSender) return refusals.unknownMask;
    if (id === null) return null;
    if (!(await deps.bounces.expects(id))) return refusals.unknownMask;
    reportsOf.add(id);
    return null;
  };

  const addReverse = async (localPart: string): Promise<SmtpReply | null> => {
    if (isNullSender) return refusals.unknownMask;
    if (accepted.size + reportsOf.size > 0 || isToPostmaster) return separateRecipients;
    const reverse = await deps.replies.find(localPart, sender);
    if (!reverse) return unknownReverse;
    replyTo.set(localPart, reverse);
    return declaredSize * replyTo.size > maxCopiesBytes ? refusals.tooManyForSize : null;
  };

  /** undefined when the recipient is a mask. */
  const addOther = (localPart: string): Promise<SmtpReply | null> | SmtpReply | null | undefined => {
    const reversePart = deps.replies ? parseReverseLocalPart(localPart) : null;
    if (reversePart !== null) return addReverse(reversePart);
    if (replyTo.size > 0) return separateRecipients;
    if (isPostmaster(localPart)) return addPostmaster();
    const returnPath = parseReturnPath(localPart);
    return returnPath ? addBounce(returnPath) : undefined;
  };

  const addMask = async (route: MailRoute): Promise<SmtpReply | null> => {
    const refusal = await admitMask(route);
    // A mask that only this mail would have made does not exist.
    const logged = route.isNew ? { ...route, maskId: "" } : route;
    if (refusal) deps.mailLog.refused([logged], { sender }, refusal);
    return refusal;
  };

  const admitMask = async (route: MailRoute): Promise<SmtpReply | null> => {
    if (!route.active) await deps.noticeOffMail(route);
    const refusal = refusalOf(route);
    if (refusal || accepted.has(route.maskId)) return refusal;
    return declaredSize * (accepted.size + 1) > maxCopiesBytes ? refusals.tooManyForSize : reserve(route);
  };

  const findOrMake = async (address: string): Promise<MailRoute | NoMask> => {
    const known = await deps.findRouteOf(address);
    if (known) return known;
    const made = await deps.masksByMail.routeTo(address);
    // Another mail may have made the mask since it was looked up.
    return made === "unknown" ? ((await deps.findRouteOf(address)) ?? made) : made;
  };

  /** A recipient at a domain of a user: a mask, one that this mail makes, or the postmaster whom every domain has. */
  const addAtDomain = async (localPart: string, domain: string): Promise<SmtpReply | null> => {
    if (!(await deps.masksByMail.hasDomain(domain))) return refusals.relayRefused;
    if (replyTo.size > 0) return separateRecipients;
    const address = `${localPart}@${domain}`;
    const key = mailboxKey(address);
    const route = newRoutes.get(key) ?? (await findOrMake(address));
    if (typeof route === "object") {
      if (route.isNew) newRoutes.set(key, route);
      return addMask(route);
    }
    if (isPostmaster(localPart)) return addPostmaster();
    return route === "tooMany" ? refusals.tooManyNewMasks : refusals.unknownMask;
  };

  const end = (): void => {
    if (!isOver)
      for (const { allowance, ticket } of accepted.values()) {
        deps.reservations.release(allowance, 0);
        ticket.cancel(false);
      }
    isOver = true;
  };

  const addRecipient = async (address: string): Promise<SmtpReply | null> => {
    const localPart = unquoted(address.includes("@") ? localPartOf(address) : address);
    if (!isOurs(address)) return addAtDomain(localPart, domainToASCII(domainOf(address)));
    const other = await addOther(localPart);
    if (other !== undefined) return other;
    const route = await deps.findRouteOf(`${localPart}@${deps.maskDomain}`);
    return route ? addMask(route) : refusals.unknownMask;
  };

  return {
    onRecipient: async (address) => {
      const refusal = deps.unknownRecipients.refusalFor(remoteAddress);
      if (refusal) return refusal;
      const reply = await addRecipient(address);
      if (reply !== refusals.unknownMask && reply !== unknownReverse) return reply;
      // The same answer, which waits because whoever asks may be guessing.
      return deps.unknownRecipients.record(remoteAddress) ? { ...reply, isGuess: true } : reply;
    },
    onMail: async (mail) => {
      isOver = true;
      if (replyTo.size > 0) return deps.replies.receive(mail, [...replyTo.values()]);
      const refusal = await deps.receive(mail, {
        month,
        recipients: [...accepted.values()],
        postmaster: isToPostmaster ? deps.postmaster.recipient : null,
        bouncedIds: [...reportsOf],
        origin,
      });
      if (!refusal) deps.unknownRecipients.recordAccepted(remoteAddress, accepted.size);
      return refusal;
    },
    onContentRefused: (reply) => {
      const routes = [...accepted.values()].map(({ route }) => route);
      deps.mailLog.refused(routes, { sender }, reply);
    },
    end,
  };
};

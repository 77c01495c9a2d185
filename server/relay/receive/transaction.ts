import { type DomainName, isSameDomain, toDomainName } from "../../../core/mail/domainName.ts";
import { domainOf, localPartOf } from "../../../core/mail/emailAddress.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { monthOf } from "../../delivery/usageQueries.ts";
import type { RawMail } from "../../mime/rawMail.ts";
import { maxMailBytes } from "../../smtp/smtpLimits.ts";
import type { SmtpReply } from "../../smtp/smtpReplies.ts";
import type { MailParameters, SmtpTransaction } from "../../smtp/smtpTransaction.ts";
import * as refusals from "../decision/refusals.ts";
import type { Reservations } from "../limits/reservations.ts";
import type { SenderLimits } from "../limits/senderLimits.ts";
import type { MailOrigin } from "../limits/senderRates.ts";
import type { UnknownRecipients } from "../limits/unknownRecipients.ts";
import type { RefusedAtMasks } from "../mailPart.ts";
import type { Postmaster } from "./postmaster.ts";
import {
  type AcceptedRecipient,
  type Beside,
  type FoundRecipient,
  type OpenTransaction,
  passedOn,
  type Received,
  type Recipient,
  type RecipientKind,
  together,
} from "./recipientKind.ts";

/** Bytes of all copies of one mail together. */
export const maxCopiesBytes = 4 * maxMailBytes;

export interface TransactionDeps {
  readonly maskDomain: DomainName;
  /** In the order in which they are asked. */
  readonly kinds: readonly RecipientKind[];
  /** One of the kinds, which gets a copy. */
  readonly postmaster: Postmaster;
  readonly reservations: Reservations;
  readonly senderLimits: SenderLimits;
  readonly unknownRecipients: UnknownRecipients;
  readonly clock: Pick<Clock, "now">;
  /** Tells the log and the records of features of refused mail. */
  readonly refused: (mail: RefusedAtMasks) => void;
  /** Decides about, encrypts and stores a mail; uses or releases the reservations of its recipients. */
  readonly receive: (mail: RawMail, transaction: OpenTransaction) => Promise<SmtpReply | null>;
}

const nothingAccepted: ReadonlyMap<string, FoundRecipient> = new Map();

/** Without unnecessary quotes a local part names the same mailbox (RFC 5321, 4.1.2). */
const unquoted = (localPart: string): string =>
  /^".*"$/.test(localPart) ? localPart.slice(1, -1).replace(/\\(.)/g, "$1") : localPart;

/** Returns the recipient that an address names, at the installation's domain where it names none; null without a domain. */
const toRecipient = (address: string, maskDomain: DomainName): Recipient | null => {
  const isBare = !address.includes("@");
  const localPart = unquoted(isBare ? address : localPartOf(address));
  const domain = isBare ? maskDomain : toDomainName(domainOf(address));
  if (domain === null) return null;
  const isOwnDomain = isSameDomain(domain, maskDomain);
  return { address: `${localPart}@${domain}`, localPart, domain, isOwnDomain };
};

/** One mail to the recipients that the kinds accept. What is reserved for them is used by the mail, or released at its end. */
export class MailTransaction implements SmtpTransaction, OpenTransaction {
  readonly parameters: MailParameters;
  readonly origin: MailOrigin | null;
  readonly month: string;
  readonly recipients = new Map<string, AcceptedRecipient>();
  readonly #deps: TransactionDeps;
  readonly #accepted = new Map<RecipientKind, Map<string, FoundRecipient>>();
  #isOver = false;

  constructor(deps: TransactionDeps, parameters: MailParameters) {
    this.#deps = deps;
    this.parameters = parameters;
    this.origin = deps.senderLimits.originOf(parameters);
    this.month = monthOf(deps.clock.now());
  }

  get hasCopies(): boolean {
    return this.recipients.size > 0 || this.#accepted.has(this.#deps.postmaster);
  }

  readonly onRecipient: SmtpTransaction["onRecipient"] = async (address) => {
    const refusal = this.#deps.unknownRecipients.refusalFor(this.parameters.remoteAddress);
    if (refusal) return refusal;
    const reply = await this.#addRecipient(address);
    return reply === refusals.unknownMask ? this.countGuess(reply) : reply;
  };

  readonly onMail: SmtpTransaction["onMail"] = async (mail) => {
    const received = await this.#offer(mail);
    if (received.kind === "taken") return received.reply;
    const refusal = await this.#deps.receive(mail, this);
    if (!refusal)
      this.#deps.unknownRecipients.recordAccepted(this.parameters.remoteAddress, this.recipients.size);
    return refusal;
  };

  readonly onContentRefused = (reply: SmtpReply): void =>
    this.refuse(
      [...this.recipients.values()].map(({ route }) => route),
      reply,
    );

  readonly end = (): void => {
    if (!this.#isOver) this.releaseRecipients();
    this.#isOver = true;
  };

  readonly reserve: OpenTransaction["reserve"] = async (route) => {
    const { reservations, senderLimits } = this.#deps;
    const { userId, maskId, emailsPerMonth: limit } = route;
    const allowance = { userId, month: this.month, limit };
    const own = [...this.recipients.values()].filter(({ route }) => route.userId === userId).length;
    const result = await reservations.reserve(allowance, own);
    if (result !== "reserved")
      return result === "used-up" ? refusals.monthlyLimitReached : refusals.lastMailsPending;
    const counted = senderLimits.admit(userId, this.origin);
    if (counted.kind === "refused" || this.#isOver) reservations.release(allowance, 0);
    if (counted.kind === "refused") return counted.reply;
    const { ticket } = counted;
    if (this.#isOver) ticket.cancel(false);
    else this.recipients.set(maskId, { route, allowance, ticket });
    return null;
  };

  readonly refuse: OpenTransaction["refuse"] = (routes, reply) => {
    const { sender } = this.parameters;
    this.#deps.refused({ routes, sender, network: this.origin?.network ?? null, reply });
  };

  readonly releaseRecipients = (): void => {
    for (const { allowance, ticket } of this.recipients.values()) {
      this.#deps.reservations.release(allowance, 0);
      ticket.cancel(false);
    }
    this.recipients.clear();
  };

  readonly accept: OpenTransaction["accept"] = (kind, key, found) => {
    const accepted = this.#accepted.get(kind) ?? new Map<string, FoundRecipient>();
    this.#accepted.set(kind, accepted.set(key, found));
  };

  readonly acceptedBy = <Found extends FoundRecipient>(
    kind: RecipientKind<Found>,
  ): ReadonlyMap<string, Found> =>
    (this.#accepted.get(kind) ?? nothingAccepted) as ReadonlyMap<string, Found>;

  readonly isBesideOthers = (kind: RecipientKind): boolean =>
    [...this.#accepted.keys()].some((other) => other !== kind);

  readonly fits = (copies: number): boolean => this.parameters.size * copies <= maxCopiesBytes;

  readonly countGuess = (reply: SmtpReply): SmtpReply =>
    this.#deps.unknownRecipients.record(this.parameters.remoteAddress) ? { ...reply, isGuess: true } : reply;

  async #addRecipient(address: string): Promise<SmtpReply | null> {
    const recipient = toRecipient(address, this.#deps.maskDomain);
    if (!recipient || !(recipient.isOwnDomain || (await this.#takesDomain(recipient.domain))))
      return refusals.relayRefused;
    for (const kind of this.#deps.kinds) {
      const finding = kind.find(recipient, this);
      const found = finding instanceof Promise ? await finding : finding;
      if (!found) continue;
      const beside = this.#standBeside(found, kind);
      if (beside.kind === "together") return kind.admit(found, this);
      return beside.kind === "refused" ? beside.reply : null;
    }
    const beside = this.#standBeside(null, null);
    return beside.kind === "refused" ? beside.reply : refusals.unknownMask;
  }

  async #takesDomain(domain: DomainName): Promise<boolean> {
    for (const kind of this.#deps.kinds)
      if (kind.takesDomain && (await kind.takesDomain(domain))) return true;
    return false;
  }

  /** Asks the other kinds that have accepted something. */
  #standBeside(found: FoundRecipient | null, kind: RecipientKind | null): Beside {
    for (const other of this.#accepted.keys()) {
      const beside = other === kind ? together : (other.beside?.(found, this) ?? together);
      if (beside.kind !== "together") return beside;
    }
    return together;
  }

  /** Offers a mail to the kinds that have accepted something, until one takes it for all. */
  async #offer(mail: RawMail): Promise<Received> {
    for (const kind of this.#deps.kinds) {
      if (!kind.receive || !this.#accepted.has(kind)) continue;
      const received = await kind.receive(mail, this);
      if (received.kind !== "taken") continue;
      this.end();
      return received;
    }
    this.#isOver = true;
    return passedOn;
  }
}

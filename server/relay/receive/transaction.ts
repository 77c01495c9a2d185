import { type DomainName, isSameDomain, toDomainName } from "../../../core/mail/domainName.ts";
import { domainOf, localPartOf, mailboxKey } from "../../../core/mail/emailAddress.ts";
import { mailboxName } from "../../../core/mail/mailboxName.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Bounces } from "../../delivery/bounces.ts";
import {
  isFeedbackAddress,
  isPostmaster,
  isReportAddress,
  parseReturnPath,
  type ReturnPath,
} from "../../delivery/ownAddresses.ts";
import { monthOf } from "../../delivery/usageQueries.ts";
import { isUnanswerable, parseReverseLocalPart } from "../../features/correspondents/reverseAddress.ts";
import type { MasksByMail, NoMask } from "../../features/domains/masksByMail.ts";
import type { ReceivedLog, RefusedMail } from "../../features/mailLog/receivedLog.ts";
import type { NoticeNoRoom } from "../../features/notifications/noRoomNotice.ts";
import type { TaggedCorrespondent } from "../../features/replies/knownRecipients.ts";
import type { Replies } from "../../features/replies/replies.ts";
import {
  answerOf,
  separateRecipients,
  unanswerableMail,
  unknownReverseAddress,
} from "../../features/replies/replyRefusals.ts";
import { maxReportMailBytes, type ReceiverReportsReceiver } from "../../features/reports/receiveReport.ts";
import type { RawMail } from "../../mime/rawMail.ts";
import { maxMailBytes } from "../../smtp/limits.ts";
import type { SmtpReply } from "../../smtp/replies.ts";
import type { MailParameters, SmtpTransaction } from "../../smtp/transaction.ts";
import * as refusals from "../decision/refusals.ts";
import type { InstallationShares } from "../limits/installationShares.ts";
import type { KeptRoom } from "../limits/keptRoom.ts";
import type { Allowance, Reservations } from "../limits/reservations.ts";
import type { SenderLimits } from "../limits/senderLimits.ts";
import type { CountedMailTicket, MailOrigin } from "../limits/senderRates.ts";
import type { UnknownRecipients } from "../limits/unknownRecipients.ts";
import type { MailRoute } from "../mailRoute.ts";
import { maxPostmasterMailBytes, type Postmaster } from "./postmaster.ts";
import { findTaggedMask, type TaggedMask } from "./taggedMask.ts";

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
  /** Whether it is a report of a receiver about our mail or our TLS. */
  readonly isReport: boolean;
  /** Whether it may be a report of a provider about a complaint (RFC 5965). */
  readonly takesFeedback: boolean;
  /** Whether nobody takes it unless it is such a report. */
  readonly onlyFeedback: boolean;
  /** Ids of our mails that this mail may be a bounce of. */
  readonly bouncedIds: readonly string[];
  /** Null where the client speaks for many senders. */
  readonly origin: MailOrigin | null;
}

interface ReplyReceiver extends Pick<Replies, "find" | "namesOwner"> {
  readonly receive: (
    mail: RawMail,
    localParts: readonly string[],
    tagged: readonly TaggedCorrespondent[],
  ) => ReturnType<Replies["receive"]>;
}

export interface TransactionDeps {
  readonly maskDomain: DomainName;
  /** The installation's own address, whose help an answer names. */
  readonly publicUrl: string;
  readonly findMaskOf: (address: string) => Promise<MailRoute | null>;
  readonly masksByMail: Pick<MasksByMail, "hasDomain" | "routeTo">;
  /** Counts a new mask of a domain for the network that would make it; false when it has made its share of the day. */
  readonly mayMakeMask: (domain: string, network: string) => boolean;
  /** Notifies the owner of mail to a mask that is off, where they want that. */
  readonly noticeOffMail: (route: MailRoute) => Promise<void>;
  /** Notifies the owner of a mask for whose mail there is no room. */
  readonly noticeNoRoom: NoticeNoRoom;
  readonly reservations: Reservations;
  readonly senderLimits: SenderLimits;
  readonly keptRoom: Pick<KeptRoom, "refusalFor">;
  readonly unknownRecipients: UnknownRecipients;
  readonly postmaster: Pick<Postmaster, "recipient" | "admit">;
  readonly receiverReports: Pick<ReceiverReportsReceiver, "admit">;
  /** Counts a mail to the address for reports of feedback loops; false when its network has sent too many. */
  readonly admitFeedback: InstallationShares["admit"];
  readonly replies: ReplyReceiver;
  readonly bounces: Pick<Bounces, "expects" | "findMasksToTell">;
  readonly clock: Clock;
  readonly receivedLog: Pick<ReceivedLog, "refused">;
  /** Decides about, encrypts and stores a mail; uses or releases the reservations of its recipients. */
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

class MailTransaction implements SmtpTransaction {
  readonly #deps: TransactionDeps;
  readonly #parameters: MailParameters;
  readonly #origin: MailOrigin | null;
  readonly #reportsOf = new Set<string>();
  readonly #accepted = new Map<string, AcceptedRecipient>();
  /** Reverse addresses by their local parts, and those whom tags name in mail of the owner of the mask. */
  readonly #replyTo = new Map<string, TaggedCorrespondent | null>();
  /** Those whom tags name in mail to masks that may yet turn out to be of their owner. */
  readonly #tagged = new Map<string, TaggedCorrespondent>();
  /** The owner of one of them who is the envelope's sender; null for none. */
  #owner: string | null = null;
  /** By address. */
  readonly #newRoutes = new Map<string, MailRoute>();
  readonly #month: string;
  #isOver = false;
  #isToPostmaster = false;
  #isReport = false;
  #isFeedback = false;
  readonly #unknownReverse: SmtpReply;

  constructor(deps: TransactionDeps, parameters: MailParameters) {
    this.#deps = deps;
    this.#parameters = parameters;
    this.#origin = deps.senderLimits.originOf(parameters);
    this.#month = monthOf(deps.clock.now());
    this.#unknownReverse = answerOf(unknownReverseAddress, deps.publicUrl);
  }

  readonly onRecipient: SmtpTransaction["onRecipient"] = async (address) => {
    const refusal = this.#deps.unknownRecipients.refusalFor(this.#parameters.remoteAddress);
    if (refusal) return refusal;
    const reply = await this.#addRecipient(address);
    return reply === refusals.unknownMask || reply === this.#unknownReverse ? this.#countGuess(reply) : reply;
  };

  readonly onMail: SmtpTransaction["onMail"] = async (mail) => {
    if (this.#reportsOf.size > 0 && this.#parameters.isNullSender) await this.#addToldMasks(mail);
    this.#isOver = true;
    if (this.#replyTo.size > 0) {
      const localParts = [...this.#replyTo].flatMap(([localPart, tagged]) => (tagged ? [] : [localPart]));
      const tagged = [...this.#replyTo.values()].filter((one) => one !== null);
      const result = await this.#deps.replies.receive(mail, localParts, tagged);
      return result.kind === "answered" ? result.reply : this.#countGuess(this.#unknownReverse);
    }
    const sent = await this.#sendTagged(mail);
    if (sent.kind === "answered") return sent.reply;
    const refusal = await this.#deps.receive(mail, {
      month: this.#month,
      recipients: [...this.#accepted.values()],
      postmaster: this.#isToPostmaster ? this.#deps.postmaster.recipient : null,
      isReport: this.#isReport,
      ...this.#feedback(),
      bouncedIds: [...this.#reportsOf],
      origin: this.#origin,
    });
    if (!refusal)
      this.#deps.unknownRecipients.recordAccepted(this.#parameters.remoteAddress, this.#accepted.size);
    return refusal;
  };

  readonly onContentRefused = (reply: SmtpReply): void => {
    const routes = [...this.#accepted.values()].map(({ route }) => route);
    this.#deps.receivedLog.refused(routes, this.#refusedMail(), reply);
  };

  readonly end = (): void => {
    if (!this.#isOver) this.#releaseMasks();
    this.#isOver = true;
  };

  /** Sends a mail to those whom tags name, if it is proven to be of the owner of their mask; else it is mail to the mask. */
  async #sendTagged(mail: RawMail): ReturnType<Replies["receive"]> {
    const tagged = [...this.#tagged.values()];
    const [first] = tagged;
    if (!first) return { kind: "unknown" };
    let result: Awaited<ReturnType<Replies["receive"]>> | undefined;
    try {
      const { receive, namesOwner } = this.#deps.replies;
      const mayBeOwners = await namesOwner(mail.content.head, first.maskId);
      result = mayBeOwners ? await receive(mail, [], tagged) : { kind: "unknown" };
      return result;
    } finally {
      if (result?.kind !== "unknown") this.#releaseMasks();
    }
  }

  #refusedMail(): RefusedMail {
    return { sender: this.#parameters.sender, network: this.#origin?.network ?? null };
  }

  /** Returns the same answer, which waits because whoever asks may be guessing. */
  #countGuess(reply: SmtpReply): SmtpReply {
    return this.#deps.unknownRecipients.record(this.#parameters.remoteAddress)
      ? { ...reply, isGuess: true }
      : reply;
  }

  async #reserve(route: MailRoute): Promise<SmtpReply | null> {
    const { userId, maskId, emailsPerMonth: limit } = route;
    const allowance = { userId, month: this.#month, limit };
    const own = [...this.#accepted.values()].filter(({ route }) => route.userId === userId).length;
    const result = await this.#deps.reservations.reserve(allowance, own);
    if (result !== "reserved")
      return result === "used-up" ? refusals.monthlyLimitReached : refusals.lastMailsPending;
    const counted = this.#deps.senderLimits.admit(userId, this.#origin);
    if (counted.kind === "refused" || this.#isOver) this.#deps.reservations.release(allowance, 0);
    if (counted.kind === "refused") return counted.reply;
    const { ticket } = counted;
    if (this.#isOver) ticket.cancel(false);
    else this.#accepted.set(maskId, { route, allowance, ticket });
    return null;
  }

  #addPostmaster(): SmtpReply | null {
    if (this.#isToPostmaster) return null;
    if (this.#parameters.size > maxPostmasterMailBytes) return refusals.tooLargeForPostmaster;
    this.#isToPostmaster = this.#deps.postmaster.admit(this.#parameters.remoteAddress);
    return this.#isToPostmaster ? null : refusals.postmasterBusy;
  }

  /** A provider sends its reports with a sender of its own, also to return paths; other mail to them is a bounce. */
  #feedback(): Pick<AcceptedMail, "takesFeedback" | "onlyFeedback"> {
    const isToReturnPath = this.#reportsOf.size > 0;
    const isStray = isToReturnPath && !this.#parameters.isNullSender;
    const isForOthers = this.#accepted.size > 0 || this.#isToPostmaster || this.#isReport;
    return {
      takesFeedback: this.#isFeedback || this.#isToPostmaster || isToReturnPath,
      onlyFeedback: (this.#isFeedback || isStray) && !isForOthers,
    };
  }

  #addFeedback(): SmtpReply | null {
    if (this.#isFeedback) return null;
    if (this.#parameters.size > maxReportMailBytes) return refusals.tooLargeForReports;
    this.#isFeedback = this.#deps.admitFeedback(this.#parameters.remoteAddress);
    return this.#isFeedback ? null : refusals.reportsBusy;
  }

  #addReport(): SmtpReply | null {
    if (this.#isReport) return null;
    if (this.#parameters.size > maxReportMailBytes) return refusals.tooLargeForReports;
    this.#isReport = this.#deps.receiverReports.admit(this.#parameters.remoteAddress);
    return this.#isReport ? null : refusals.reportsBusy;
  }

  async #addBounce({ id }: ReturnPath): Promise<SmtpReply | null> {
    if (id === null) return this.#parameters.isNullSender ? null : refusals.unknownMask;
    if (!(await this.#deps.bounces.expects(id))) return refusals.unknownMask;
    this.#reportsOf.add(id);
    return null;
  }

  /** A mail to return paths that is not understood goes to the masks, as one about a reply does, if they take mail. */
  async #addToldMasks({ content }: RawMail): Promise<void> {
    for (const address of await this.#deps.bounces.findMasksToTell([...this.#reportsOf], content)) {
      const route = await this.#deps.findMaskOf(address);
      if (route) await this.#addMask(route);
    }
  }

  /**
   * Any sender may turn out to be the owner: their server may have written its own envelope, and the content proves who
   * it is. So a stranger learns nothing before the content either.
   */
  async #addReverse(localPart: string): Promise<SmtpReply | null> {
    if (this.#parameters.isNullSender) return refusals.unknownMask;
    if (isUnanswerable(localPart)) return answerOf(unanswerableMail, this.#deps.publicUrl);
    if (this.#isForInstallation()) return separateRecipients;
    const owner = (await this.#deps.replies.find(localPart, this.#parameters.sender))?.userId ?? null;
    return this.#addAnswered(localPart, null, owner);
  }

  #isForInstallation(): boolean {
    return this.#reportsOf.size > 0 || this.#isToPostmaster || this.#isReport || this.#isFeedback;
  }

  /** Adds a recipient who gets mail of `owner`, the envelope's sender, through a mask. */
  #addAnswered(key: string, tagged: TaggedCorrespondent | null, owner: string | null): SmtpReply | null {
    if (this.#isForInstallation()) return separateRecipients;
    if ([...this.#accepted.values()].some(({ route }) => route.userId !== owner)) return separateRecipients;
    if (this.#owner !== null && owner === null) return this.#unknownReverse;
    this.#owner ??= owner;
    for (const [earlier, one] of this.#tagged) this.#replyTo.set(earlier, one);
    this.#tagged.clear();
    this.#replyTo.set(key, tagged);
    this.#releaseMasks();
    return this.#parameters.size * this.#replyTo.size > maxCopiesBytes ? refusals.tooManyForSize : null;
  }

  /** Releases what was accepted for masks of the owner, whose answer reaches its correspondents without them. */
  #releaseMasks(): void {
    for (const { allowance, ticket } of this.#accepted.values()) {
      this.#deps.reservations.release(allowance, 0);
      ticket.cancel(false);
    }
    this.#accepted.clear();
  }

  /** A mask of the owner among the recipients of an answer to all gets no copy; another one is taken separately. */
  #addMaskToAnswer(route: MailRoute | null): SmtpReply | null {
    return this.#owner !== null && route?.userId === this.#owner ? null : separateRecipients;
  }

  /** undefined when the recipient is a mask. */
  #addOther(localPart: string): Promise<SmtpReply | null> | SmtpReply | null | undefined {
    const reversePart = parseReverseLocalPart(localPart);
    if (reversePart !== null) return this.#addReverse(reversePart);
    const isAnswer = this.#replyTo.size + this.#tagged.size > 0;
    if (isPostmaster(localPart)) return isAnswer ? separateRecipients : this.#addPostmaster();
    if (isReportAddress(localPart)) return isAnswer ? separateRecipients : this.#addReport();
    if (isFeedbackAddress(localPart)) return isAnswer ? separateRecipients : this.#addFeedback();
    const returnPath = parseReturnPath(localPart);
    if (!returnPath) return undefined;
    return isAnswer ? separateRecipients : this.#addBounce(returnPath);
  }

  /**
   * A tag that names somebody leads to them in mail of the mask's owner, whom the content proves. From anybody else, and with
   * any other tag, it is mail to the mask. Who the envelope names makes no difference: a stranger would learn the owner.
   */
  async #addTagged({ route, tag, correspondent }: TaggedMask): Promise<SmtpReply | null> {
    const { size, isNullSender } = this.#parameters;
    if (correspondent === null || isNullSender) {
      if (!route.takesTags) return refusals.unknownMask;
      return this.#replyTo.size > 0 ? this.#addMaskToAnswer(route) : this.#addMask({ ...route, tag });
    }
    const { maskId, userId } = route;
    const key = `${maskId} ${mailboxName(correspondent)}`;
    const tagged = { maskId, userId, address: correspondent };
    if (this.#replyTo.size > 0 || !route.takesTags)
      return this.#addAnswered(key, tagged, userId === this.#owner ? userId : null);
    const isAlone = [...this.#accepted.values()].every((one) => one.route.userId === userId);
    if (this.#isForInstallation() || !isAlone) return separateRecipients;
    if (size * (this.#tagged.size + 1) > maxCopiesBytes) return refusals.tooManyForSize;
    const refusal = await this.#addMask({ ...route, tag });
    if (refusal === null) this.#tagged.set(key, tagged);
    return refusal;
  }

  async #addMask(route: MailRoute): Promise<SmtpReply | null> {
    const [tagged] = this.#tagged.values();
    if (tagged && tagged.userId !== route.userId) return separateRecipients;
    const refusal = await this.#admitMask(route);
    // A mask that only this mail would have made does not exist.
    const logged = route.isNew ? { ...route, maskId: "" } : route;
    if (refusal) this.#deps.receivedLog.refused([logged], this.#refusedMail(), refusal);
    return refusal;
  }

  async #admitMask(route: MailRoute): Promise<SmtpReply | null> {
    if (!route.active) await this.#deps.noticeOffMail(route);
    const refusal = refusalOf(route);
    if (refusal || this.#accepted.has(route.maskId)) return refusal;
    const noRoom = await this.#findNoRoom(route);
    if (noRoom) return noRoom;
    return this.#parameters.size * (this.#accepted.size + 1) > maxCopiesBytes
      ? refusals.tooManyForSize
      : this.#reserve(route);
  }

  async #findNoRoom(route: MailRoute): Promise<SmtpReply | null> {
    const network = this.#origin?.network ?? null;
    const { sender, size } = this.#parameters;
    const refusal = await this.#deps.keptRoom.refusalFor({ route, network, sender, size });
    if (refusal) await this.#deps.noticeNoRoom(route, refusal);
    return refusal;
  }

  async #findOrMake(localPart: string, domain: DomainName): Promise<MailRoute | NoMask> {
    const address = `${localPart}@${domain}`;
    const known = await this.#deps.findMaskOf(address);
    if (known) return known;
    const made = await this.#deps.masksByMail.routeTo(localPart, domain);
    // Another mail may have made the mask since it was looked up.
    return made === "unknown" ? ((await this.#deps.findMaskOf(address)) ?? made) : made;
  }

  /** Whether an account without tags has a domain that makes a mask of the whole name. */
  async #isMadeInstead({ route }: TaggedMask, localPart: string, domain: DomainName): Promise<boolean> {
    if (route.takesTags) return false;
    return typeof (await this.#deps.masksByMail.routeTo(localPart, domain)) === "object";
  }

  /** A recipient at a domain of a user: a mask, one that this mail makes, or the postmaster whom every domain has. */
  async #addAtDomain(localPart: string, domain: DomainName): Promise<SmtpReply | null> {
    if (!(await this.#deps.masksByMail.hasDomain(domain))) return refusals.relayRefused;
    const tagged = await findTaggedMask(this.#deps, `${localPart}@${domain}`);
    if (tagged && !(await this.#isMadeInstead(tagged, localPart, domain))) return this.#addTagged(tagged);
    if (this.#replyTo.size > 0)
      return this.#addMaskToAnswer(await this.#deps.findMaskOf(`${localPart}@${domain}`));
    const key = mailboxKey(`${localPart}@${domain}`);
    const route = this.#newRoutes.get(key) ?? (await this.#findOrMake(localPart, domain));
    if (typeof route === "object") {
      if (route.isNew && !this.#newRoutes.has(key)) {
        const network = this.#origin?.network;
        if (network !== undefined && !this.#deps.mayMakeMask(domain, network))
          return refusals.tooManyNewMasks;
        this.#newRoutes.set(key, route);
      }
      return this.#addMask(route);
    }
    if (isPostmaster(localPart)) return this.#addPostmaster();
    return route === "tooMany" ? refusals.tooManyNewMasks : refusals.unknownMask;
  }

  async #addRecipient(address: string): Promise<SmtpReply | null> {
    const { maskDomain } = this.#deps;
    const isBare = !address.includes("@");
    const localPart = unquoted(isBare ? address : localPartOf(address));
    const domain = isBare ? maskDomain : toDomainName(domainOf(address));
    if (domain === null) return refusals.relayRefused;
    if (!isSameDomain(domain, maskDomain)) return this.#addAtDomain(localPart, domain);
    const other = await this.#addOther(localPart);
    if (other !== undefined) return other;
    const tagged = await findTaggedMask(this.#deps, `${localPart}@${domain}`);
    if (tagged) return this.#addTagged(tagged);
    const route = await this.#deps.findMaskOf(`${localPart}@${maskDomain}`);
    if (this.#replyTo.size > 0) return this.#addMaskToAnswer(route);
    return route ? this.#addMask(route) : refusals.unknownMask;
  }
}

/** Begins a transaction; recipients may be masks that take mail or are made by it, the postmaster, the addresses for reports and complaints, and return paths. */
export const beginTransaction = (deps: TransactionDeps, parameters: MailParameters): SmtpTransaction =>
  new MailTransaction(deps, parameters);

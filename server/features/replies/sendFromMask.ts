import { type DomainName, isAtDomain } from "../../../core/mail/domainName.ts";
import { localPartOf, withoutTag } from "../../../core/mail/emailAddress.ts";
import type { Sender } from "../../../core/mail/forwardedFrom.ts";
import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import { correspondentInTag, parseTagged } from "../../../core/mail/taggedAddress.ts";
import { type MailWithHeader, mailboxesIn } from "../../mime/mailFields.ts";
import { isUnanswerable, parseReverseLocalPart } from "../correspondents/reverseAddress.ts";
import type { ReverseAddresses } from "../correspondents/reverseAddresses.ts";
import type { AlsoStore, Recipient } from "./commitReplies.ts";
import { noticesOf } from "./ownerNotice.ts";
import { createQueueReply, type QueuedReply, type QueueReplyDeps } from "./queueReply.ts";
import { isOwner, type ReplyMask } from "./replyQueries.ts";
import * as refusals from "./replyRefusals.ts";
import { findOwnerHosts, findOwnerNames } from "./rewrite/ownerMarks.ts";
import type { OpenReply, ReplyProblem } from "./rewrite/replyWriter.ts";
import type { WrittenReply } from "./rewrite/writeReply.ts";

export interface SendFromMaskDeps extends QueueReplyDeps {
  readonly reverseAddresses: Pick<ReverseAddresses, "find" | "recordReply" | "listShown">;
  readonly maskDomain: DomainName;
  readonly openReply: OpenReply;
}

/** A mail of an owner that leaves through a mask. */
export interface MailFromMask {
  readonly mask: ReplyMask;
  readonly mail: MailWithHeader;
  readonly recipients: readonly Recipient[];
  /** True if To and Cc may name people who are not behind a reverse address of the mask. */
  readonly allowsOthers: boolean;
  /** Stored with the mail once it is accepted. */
  readonly alsoStore?: AlsoStore;
}

/** Sends a mail from a mask; a refusal explains why not. */
export type SendFromMask = (
  outgoing: MailFromMask,
) => Promise<QueuedReply & { readonly notices: readonly string[] }>;

/** The maximum number of reverse addresses looked up in one mail's text. */
const maxQuoted = 50;

const refusalOf: Readonly<Record<ReplyProblem, refusals.ReplyRefusal>> = {
  unreadable: refusals.unreadableReply,
  "too-long": refusals.oversizedReply,
  revealing: refusals.revealingReply,
};

/** The visible recipients, with reverse addresses replaced by the correspondents' real addresses. */
interface Visible {
  readonly to: readonly Sender[];
  readonly cc: readonly Sender[];
}

/** Returns whom the address of the mask names by its tag, undefined for nobody or the owner; null for another address. */
const namedInTag = (mask: ReplyMask, { name, address }: Sender): Sender | undefined | null => {
  if (isSameMailbox(address, mask.maskEmail)) return undefined;
  const tagged = parseTagged(address);
  if (tagged === null || !isSameMailbox(tagged.base, mask.maskEmail)) return null;
  const named = correspondentInTag(tagged.tag);
  return named === null || isOwner(mask, named) ? undefined : { name, address: named };
};

/** Creates the function that rewrites a mail of an owner as mail from the mask, and queues it. */
export const createSendFromMask = (deps: SendFromMaskDeps): SendFromMask => {
  const { reverseAddresses, maskDomain, openReply, clock } = deps;
  const queueReply = createQueueReply(deps);

  /**
   * Those of the envelope are known, and all others of the mask are replaced where a text quotes them by the name that mail
   * has shown; those that it names beside them are looked up.
   */
  const findCorrespondents = async (
    { mask, recipients }: MailFromMask,
    named: readonly string[],
  ): Promise<ReadonlyMap<string, Sender>> => {
    const envelope = recipients.flatMap(({ reverse }) => reverse ?? []);
    const shown = await reverseAddresses.listShown(mask);
    const known = new Set([...envelope, ...shown].map(({ localPart }) => localPart));
    const found = await Promise.all(
      [...new Set(named)]
        .filter((localPart) => !known.has(localPart))
        .slice(0, maxQuoted)
        .map((localPart) => reverseAddresses.find(localPart)),
    );
    return new Map(
      [...shown, ...envelope, ...found].flatMap((reverse) =>
        reverse?.maskId === mask.maskId ? [[reverse.localPart, reverse.correspondent] as const] : [],
      ),
    );
  };

  /** undefined for the owner, null for somebody who must not be named. */
  const translateAddress = (
    mailbox: Sender,
    { mask, allowsOthers }: MailFromMask,
    correspondents: ReadonlyMap<string, Sender>,
  ): Sender | null | undefined => {
    const { address } = mailbox;
    if (isOwner(mask, withoutTag(address)) || isOwner(mask, address)) return undefined;
    const named = namedInTag(mask, mailbox);
    if (named !== null) return named;
    const isOurs = isAtDomain(address, maskDomain);
    const localPart = isOurs ? parseReverseLocalPart(localPartOf(address)) : null;
    if (localPart !== null) return correspondents.get(localPart) ?? null;
    if (allowsOthers) return mailbox;
    return isOurs ? undefined : null;
  };

  /** null when one of them must not be named. */
  const translateRecipients = (
    outgoing: MailFromMask,
    correspondents: ReadonlyMap<string, Sender>,
  ): Visible | null => {
    const translate = (name: string) =>
      mailboxesIn(outgoing.mail, name)
        .filter(({ address }) => !isUnanswerable(localPartOf(address)))
        .map((mailbox) => translateAddress(mailbox, outgoing, correspondents));
    const to = translate("to");
    const cc = translate("cc");
    if ([...to, ...cc].includes(null)) return null;
    const people = (list: typeof to): readonly Sender[] => list.flatMap((one) => one ?? []);
    return { to: people(to), cc: people(cc) };
  };

  const write = async (outgoing: MailFromMask): Promise<WrittenReply | refusals.ReplyRefusal> => {
    const { mask, mail, recipients, allowsOthers } = outgoing;
    const { maskEmail, description, shownDescriptions, ownerAddresses, userId } = mask;
    const opened = await openReply(mail, userId);
    if (typeof opened === "string") return refusalOf[opened];
    const inHeader = ["to", "cc"]
      .flatMap((name) => mailboxesIn(mail, name))
      .flatMap(({ address }) => parseReverseLocalPart(localPartOf(address)) ?? []);
    const correspondents = await findCorrespondents(outgoing, [...inHeader, ...opened.reverse]);
    const visible = translateRecipients(outgoing, correspondents);
    if (!visible) return refusals.foreignRecipient;
    // A reply that names nobody visible names its only correspondent; a mail to hidden recipients names none.
    const isHidden = visible.to.length + visible.cc.length === 0 && !allowsOthers && recipients.length === 1;
    const written = await opened.write({
      maskEmail,
      description,
      shownDescriptions,
      maskDomain,
      ownerAddresses,
      ownerNames: findOwnerNames(mail, [...ownerAddresses, maskEmail]),
      ownerHosts: findOwnerHosts(mail, ownerAddresses),
      correspondents,
      now: clock.now(),
      to: isHidden ? recipients.flatMap(({ reverse }) => reverse?.correspondent ?? []) : visible.to,
      cc: visible.cc,
    });
    return typeof written === "string" ? refusalOf[written] : written;
  };

  return async (outgoing) => {
    const written = await write(outgoing);
    if ("answer" in written) return { refusal: written, isWaiting: false, notices: [] };
    const queued = await queueReply(outgoing.mask, outgoing.recipients, written, outgoing.alsoStore);
    return { ...queued, notices: noticesOf(written) };
  };
};

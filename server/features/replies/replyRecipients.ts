import { type DomainName, isAtDomain } from "../../../core/mail/domainName.ts";
import { type EmailAddress, localPartOf } from "../../../core/mail/emailAddress.ts";
import { isSameMailbox, mailboxName } from "../../../core/mail/mailboxName.ts";
import { correspondentInTag, parseTagged, type TaggedAddress } from "../../../core/mail/taggedAddress.ts";
import type { RawMail } from "../../mime/rawMail.ts";
import type { Judge } from "../../proof/judge.ts";
import { tooManyForSize, unknownMask } from "../../relay/decision/refusals.ts";
import type { MailRoute } from "../../relay/mailRoute.ts";
import {
  type FoundRecipient,
  nothingRead,
  type OpenTransaction,
  passedOn,
  type Recipient,
  type RecipientKind,
  together,
} from "../../relay/receive/recipientKind.ts";
import { refused, type SmtpReply } from "../../smtp/smtpReplies.ts";
import { isUnanswerable, parseReverseLocalPart } from "../correspondents/reverseAddress.ts";
import { type FindMask, findMaskBeforeTag } from "../masks/findMask.ts";
import type { FoundMask } from "../masks/maskRecipients.ts";
import type { TaggedCorrespondent } from "./knownRecipients.ts";
import type { CountLateBounces } from "./lateBounces.ts";
import type { ReplyResult } from "./receiveReply.ts";
import type { Replies } from "./replies.ts";
import { answerOf, separateRecipients, unanswerableMail, unknownReverseAddress } from "./replyRefusals.ts";

/** A reverse address. */
interface FoundReverse extends FoundRecipient {
  readonly kind: "reverse";
  readonly localPart: string;
  /** Its owner if they are the envelope's sender; null before it is accepted, and for other senders. */
  readonly owner: string | null;
}

/** Somebody whom the tag of a mask's address names. */
interface FoundTagged extends FoundRecipient {
  readonly kind: "tagged";
  readonly route: MailRoute;
  readonly tag: string;
  readonly correspondent: TaggedCorrespondent;
}

export type FoundCorrespondent = FoundReverse | FoundTagged;

export interface ReplyRecipientsDeps {
  readonly maskDomain: DomainName;
  /** The installation's own address, whose help an answer names. */
  readonly publicUrl: string;
  readonly findMask: FindMask;
  /** Tells if mail to an address at a user's domain makes a mask of its whole name. */
  readonly makesMask: (recipient: Recipient) => Promise<boolean>;
  readonly masks: Pick<RecipientKind<FoundMask>, "admit">;
  readonly replies: Pick<Replies, "find" | "namesOwner" | "findOwnAnswers">;
  /** Sends a mail to the correspondents behind reverse addresses and to those whom tags name. */
  readonly send: (
    mail: RawMail,
    localParts: readonly string[],
    tagged: readonly TaggedCorrespondent[],
  ) => Promise<ReplyResult>;
  readonly countLateBounces: CountLateBounces;
  readonly judge: Judge;
}

/** True if an address leads neither back to a mask nor through a mask to somebody else. */
const isForeign = (address: EmailAddress, { maskEmail }: MailRoute, maskDomain: DomainName): boolean => {
  const isReverse = isAtDomain(address, maskDomain) && parseReverseLocalPart(localPartOf(address)) !== null;
  return !isReverse && !isSameMailbox(address, maskEmail);
};

/**
 * Whether a mail goes to correspondents in any case. With tags alone it does in the owner's name only, whom the content
 * proves, and is mail to the masks from anybody else.
 */
const isAnswer = (found: readonly FoundCorrespondent[]): boolean =>
  found.some((one) => one.kind === "reverse" || !one.route.takesTags);

/** The owner of the first reverse address whose owner the envelope's sender is; null for none. */
const ownerOf = (found: readonly FoundCorrespondent[]): string | null =>
  found.flatMap((one) => (one.kind === "reverse" ? (one.owner ?? []) : []))[0] ?? null;

const keyOf = (found: FoundCorrespondent): string =>
  found.kind === "reverse"
    ? found.localPart
    : `${found.correspondent.maskId} ${mailboxName(found.correspondent.address)}`;

/**
 * Creates the kind of correspondents whom an owner writes to through a mask: by their reverse addresses, and by tags that name
 * them. They are taken separately from all others, but for masks of the same owner, which get no copy of the answer. It stands
 * before masks, which take other tags.
 */
export const createReplyRecipients = (deps: ReplyRecipientsDeps): RecipientKind<FoundCorrespondent> => {
  const { maskDomain, findMask, makesMask, masks, replies, send, countLateBounces, judge } = deps;
  const unanswerable = answerOf(unanswerableMail, deps.publicUrl);
  const unknownReverse = answerOf(unknownReverseAddress, deps.publicUrl);

  const acceptedIn = (transaction: OpenTransaction): readonly FoundCorrespondent[] => [
    ...transaction.acceptedBy(kind).values(),
  ];

  /** Tells if something is accepted for others than correspondents and this user. */
  const isBesideOthers = (transaction: OpenTransaction, userId: string | null): boolean =>
    transaction.isBesideOthers(kind) ||
    [...transaction.recipients.values()].some(({ route }) => route.userId !== userId);

  const findTagged = async (
    recipient: Recipient,
    tagged: TaggedAddress,
    address: EmailAddress,
  ): Promise<FoundTagged | null> => {
    if (await findMask(recipient.address)) return null;
    const route = await findMaskBeforeTag(findMask, tagged);
    if (!route || !isForeign(address, route, maskDomain)) return null;
    if (!route.takesTags && !recipient.isOwnDomain && (await makesMask(recipient))) return null;
    const { maskId, userId } = route;
    return { kind: "tagged", route, tag: tagged.tag, correspondent: { maskId, userId, address } };
  };

  /** Accepts somebody who gets mail of `owner`, the envelope's sender, through a mask. */
  const accept = (
    found: FoundCorrespondent,
    owner: string | null,
    transaction: OpenTransaction,
  ): SmtpReply | null => {
    if (isBesideOthers(transaction, owner)) return separateRecipients;
    const accepted = transaction.acceptedBy(kind);
    if (owner === null && ownerOf([...accepted.values()]) !== null)
      return transaction.countGuess(unknownReverse);
    const key = keyOf(found);
    if (!transaction.fits(accepted.size + (accepted.has(key) ? 0 : 1))) return tooManyForSize;
    transaction.accept(kind, key, found);
    transaction.releaseRecipients();
    return null;
  };

  /**
   * Any sender may turn out to be the owner: their server may have written its own envelope, and the content proves who
   * it is. So a stranger learns nothing before the content either.
   */
  const admitReverse = async (
    found: FoundReverse,
    transaction: OpenTransaction,
  ): Promise<SmtpReply | null> => {
    const { isNullSender, sender } = transaction.parameters;
    if (isNullSender) return unknownMask;
    if (isUnanswerable(found.localPart)) return unanswerable;
    const owner = (await replies.find(found.localPart, sender))?.userId ?? null;
    return accept({ ...found, owner }, owner, transaction);
  };

  /**
   * A tag that names somebody leads to them in mail of the mask's owner, whom the content proves. From anybody else it is mail
   * to the mask. Who the envelope names makes no difference: a stranger would learn the owner.
   */
  const admitTagged = async (found: FoundTagged, transaction: OpenTransaction): Promise<SmtpReply | null> => {
    const { route, tag } = found;
    const accepted = acceptedIn(transaction);
    if (isAnswer(accepted) || !route.takesTags)
      return accept(found, ownerOf(accepted) === route.userId ? route.userId : null, transaction);
    if (isBesideOthers(transaction, route.userId)) return separateRecipients;
    if (!transaction.fits(accepted.length + 1)) return tooManyForSize;
    const refusal = await masks.admit({ route: { ...route, tag } }, transaction);
    if (refusal === null) transaction.accept(kind, keyOf(found), found);
    return refusal;
  };

  const kind: RecipientKind<FoundCorrespondent> = {
    find: (recipient, { parameters }) => {
      const localPart = recipient.isOwnDomain ? parseReverseLocalPart(recipient.localPart) : null;
      if (localPart !== null) return { kind: "reverse", route: null, localPart, owner: null };
      const tagged = parseTagged(recipient.address);
      const named = tagged && correspondentInTag(tagged.tag);
      return tagged && named && !parameters.isNullSender ? findTagged(recipient, tagged, named) : null;
    },
    beside: (found, transaction) => {
      const accepted = acceptedIn(transaction);
      const route = found?.route ?? null;
      if (isAnswer(accepted)) {
        const owner = ownerOf(accepted);
        const isOwners = owner !== null && route?.userId === owner && !route.isNew;
        return isOwners ? { kind: "left-out" } : refused(separateRecipients);
      }
      const isOfSame = accepted.every((one) => one.route?.userId === route?.userId);
      return found === null || isOfSame ? together : refused(separateRecipients);
    },
    admit: (found, transaction) =>
      found.kind === "reverse" ? admitReverse(found, transaction) : admitTagged(found, transaction),
    receive: async (mail, transaction) => {
      const accepted = acceptedIn(transaction);
      const localParts = accepted.flatMap((one) => (one.kind === "reverse" ? [one.localPart] : []));
      const tagged = accepted.flatMap((one) => (one.kind === "tagged" ? [one.correspondent] : []));
      const [first] = tagged;
      const needsOwner = !isAnswer(accepted);
      if (needsOwner && !(first && (await replies.namesOwner(mail.content.head, first.maskId))))
        return passedOn;
      const result = await send(mail, localParts, tagged);
      if (result.kind === "answered") return { kind: "taken", reply: result.reply };
      return needsOwner ? passedOn : { kind: "taken", reply: transaction.countGuess(unknownReverse) };
    },
    read: ({ content }, { parameters, recipients }) => {
      if (!parameters.isNullSender || recipients.size === 0) return nothingRead;
      const routes = [...recipients.values()].map(({ route }) => route);
      return countLateBounces(content, routes).then(() => nothingRead);
    },
    findUsersWithoutCopy: ({ content, header, sender, envelope, readAll }, userIds) => {
      const { head, size } = content;
      const mail = { content: head, header, sender, envelopeSender: envelope.sender };
      return replies.findOwnAnswers(
        { ...mail, judge: () => judge({ head, size, readAll }, envelope) },
        userIds,
      );
    },
  };
  return kind;
};

import { filter, type Observable } from "rxjs";
import { type DomainName, isAtDomain } from "../../../core/mail/domainName.ts";
import { type EmailAddress, localPartOf, mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Sender } from "../../../core/mail/forwardedFrom.ts";
import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import { correspondentInTag, parseTagged } from "../../../core/mail/taggedAddress.ts";
import type { RepliesPerDay } from "../../../core/tiers/tier.ts";
import type { FreshMails } from "../../delivery/delivery.ts";
import type { BodyWriter } from "../../delivery/queue/bodyStore.ts";
import { rowBodies } from "../../delivery/queue/rowBodies.ts";
import { readHeaderBlock } from "../../mime/headerBlock.ts";
import { type MailWithHeader, mailboxesIn } from "../../mime/mailFields.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { Db } from "../../platform/store/database.ts";
import type { ChangeEvent } from "../../platform/store/events.ts";
import type { GroupCommit } from "../../platform/store/groupCommit.ts";
import type { CalendarNames, CalendarPerson } from "../../relay/calendars/calendarNames.ts";
import { correspondentsResource } from "../correspondents/correspondents.ts";
import { parseReverseLocalPart, unanswerableAddress } from "../correspondents/reverseAddress.ts";
import {
  type MaskOwner,
  type ReverseAddress,
  ReverseAddresses,
  type ReverseAddressesDeps,
} from "../correspondents/reverseAddresses.ts";
import { listConfirmedAddresses } from "../destinations/destinationQueries.ts";
import { commonSpelling } from "./mailboxSpelling.ts";
import { createFindOwnAnswers, type FindOwnAnswers } from "./ownAnswers.ts";
import { createOfferOwnerKey, type OwnerKeyDeps } from "./ownerKey.ts";
import { createTellOwner } from "./ownerNotice.ts";
import { createReceiveReply, type ReceiveReply, type ReceiveReplyDeps } from "./receiveReply.ts";
import { findOwnMask, findReplyMask, isOwner } from "./replyQueries.ts";
import { createCalendarIds } from "./rewrite/calendarIds.ts";
import {
  createOwnAddresses,
  type ForwardedFields,
  indexReverse,
  listCorrespondents,
  readAnsweredFields,
  writeForwardedFields,
} from "./rewrite/forwardedFields.ts";
import { createOpenReply, type OpenReplyDeps } from "./rewrite/replyWriter.ts";
import { createSendFromMask } from "./sendFromMask.ts";
import { createSubmitMail, type SubmitMail } from "./submitMail.ts";
import { createThreadIds } from "./threadIds.ts";
import { createUnsentReplies, type SendReplyAgain } from "./unsentReplies.ts";

/** The fields of a forwarded mail that direct replies through the mask. */
export interface PreparedAnswer {
  /** The address for From. */
  readonly from: string;
  readonly fields: ForwardedFields;
  /** Addresses to be recorded with the mail. */
  readonly reverse: readonly ReverseAddress[];
  /** Returns the names of people in calendars, for the copy of a recipient. */
  readonly calendarNames: (recipient: string) => CalendarNames;
}

/** The mask that a mail is forwarded for. */
export interface ForwardingMask extends MaskOwner {
  readonly maskEmail: string;
  readonly destination: string;
}

/** Replies of owners through their masks. */
export interface Replies {
  readonly prepareAnswer: (
    mail: MailWithHeader,
    author: Sender | null,
    mask: ForwardingMask,
    /** Names of fields, in lower case, that are written anew for another reason. */
    others?: ReadonlySet<string>,
    /** Those in the mail's calendars. */
    inCalendars?: readonly CalendarPerson[],
  ) => Promise<PreparedAnswer>;
  /** Stores the reverse addresses of forwarded mail, in its transaction. */
  readonly record: (db: Db, addresses: readonly ReverseAddress[]) => Promise<void>;
  /** Returns the reverse address of a local part for mail of its owner; null for other senders. */
  readonly find: (localPart: string, envelopeSender: string) => Promise<ReverseAddress | null>;
  /** Returns whether the author of a mail, unproven, is the owner of a mask. */
  readonly namesOwner: (content: Buffer, maskId: string) => Promise<boolean>;
  readonly receive: ReceiveReply;
  readonly findOwnAnswers: FindOwnAnswers;
  /** Returns the reverse address of a local part if it is one of the user's; null otherwise. */
  readonly findOwn: (localPart: string, userId: string) => Promise<ReverseAddress | null>;
  /** Returns the reverse address of whom a tag names at one of the user's masks; null for any other address. */
  readonly findTagged: (address: EmailAddress, userId: string) => Promise<ReverseAddress | null>;
  readonly submit: SubmitMail;
  readonly sendAgain: SendReplyAgain;
}

export interface RepliesDeps
  extends ReverseAddressesDeps,
    Omit<
      ReceiveReplyDeps,
      "sendFromMask" | "tellOwner" | "offerOwnerKey" | "unsentReplies" | "reverseAddresses"
    > {
  /** Encrypts what is kept of replies and their notices. */
  readonly seal: Seal;
  readonly keyPool: OwnerKeyDeps["keyPool"];
  readonly pool: OpenReplyDeps["pool"];
  readonly maskDomain: DomainName;
  readonly repliesPerDay: RepliesPerDay;
  /** Commits replies together, and with other mail. */
  readonly group: GroupCommit;
  /** Takes the content of replies. */
  readonly bodies: BodyWriter;
  /** Receives small replies to deliver them from memory. */
  readonly fresh: FreshMails;
  /** Changes of users' data by any process. */
  readonly changes$: Observable<ChangeEvent>;
}

export const createReplies = (deps: RepliesDeps): Replies => {
  const { secrets, database, maskDomain } = deps;
  const reverseAddresses = new ReverseAddresses(deps);
  const threadIdsOf = createThreadIds(secrets.sealing, maskDomain);
  deps.changes$
    .pipe(filter(({ resource }) => resource === correspondentsResource))
    .subscribe(({ resourceId }) => reverseAddresses.dropCached(resourceId ?? ""));
  const sending = {
    ...deps,
    reverseAddresses,
    offerOwnerKey: createOfferOwnerKey(deps),
    tellOwner: createTellOwner({ ...deps, onQueued: () => deps.onQueued(false) }),
    sendFromMask: createSendFromMask({
      ...deps,
      // A file would need another sync beside that of the commit.
      bodies: deps.bodies.keepsSpoolFiles ? rowBodies : deps.bodies,
      reverseAddresses,
      openReply: createOpenReply({ ...deps, threadKey: secrets.sealing, threadIdsOf }),
    }),
  };
  const unsentReplies = createUnsentReplies(sending);
  return {
    prepareAnswer: async (mail, author, mask, others, inCalendars) => {
      const untagged = createOwnAddresses([mask.maskEmail, mask.destination]);
      const isTagged = (address: string): boolean => {
        const tagged = parseTagged(address);
        return tagged !== null && isSameMailbox(tagged.base, mask.maskEmail);
      };
      const own = {
        ...untagged,
        includes: (address: string) => untagged.includes(address) || isTagged(address),
      };
      // A reverse address leads through the mask already; one of a reverse address would lead nowhere.
      const isReverse = (address: string): boolean =>
        isAtDomain(address, maskDomain) && parseReverseLocalPart(localPartOf(address)) !== null;
      const unchanged = {
        ...own,
        includes: (address: string) => own.includes(address) || isReverse(address),
      };
      const answered = readAnsweredFields(mail, others);
      const correspondents = listCorrespondents(answered, author, unchanged, inCalendars);
      const reverse = await reverseAddresses.prepare(mask, correspondents);
      const reverseByKey = indexReverse(reverse);
      const reverseOf = (address: string): string | null => {
        const reverse = reverseByKey.get(mailboxKey(address));
        return reverse ? `${reverse.localPart}@${maskDomain}` : null;
      };
      const ids = threadIdsOf(mask.userId);
      return {
        from: (author && reverseOf(author.address)) ?? unanswerableAddress(maskDomain),
        calendarNames: (recipient) => ({
          recipient,
          isOwn: (address) => own.includes(address) || isSameMailbox(address, recipient),
          reverseOf: ({ address }) => (isReverse(address) ? address : reverseOf(address)),
          ownIdOf: createCalendarIds(ids).toOwner,
        }),
        fields: writeForwardedFields(mail, answered, reverseByKey, ids, {
          maskDomain,
          own: unchanged,
        }),
        reverse,
      };
    },
    record: (db, addresses) => reverseAddresses.record(db, addresses),
    find: async (localPart, envelopeSender) => {
      const reverse = await reverseAddresses.find(localPart);
      const mask = reverse && (await findReplyMask(database, reverse.maskId, maskDomain));
      return mask && isOwner(mask, envelopeSender) ? reverse : null;
    },
    namesOwner: async (content, maskId) => {
      const header = readHeaderBlock(content);
      const [author] = header ? mailboxesIn({ content, header }, "from") : [];
      const mask = author && (await findReplyMask(database, maskId, maskDomain));
      if (!author || !mask) return false;
      const spelling = commonSpelling(author.address);
      return mask.ownerAddresses.some((own) => commonSpelling(own) === spelling);
    },
    receive: createReceiveReply({ ...sending, unsentReplies }),
    findOwnAnswers: createFindOwnAnswers({
      reverseAddresses,
      maskDomain,
      confirmedAddressesOf: (userId) => listConfirmedAddresses(database.db, userId),
    }),
    findOwn: async (localPart, userId) => {
      const reverse = await reverseAddresses.find(localPart);
      return reverse?.userId === userId ? reverse : null;
    },
    findTagged: async (address, userId) => {
      const tagged = parseTagged(address);
      const correspondent = tagged && correspondentInTag(tagged.tag);
      if (!tagged || !correspondent) return null;
      const maskId = await findOwnMask(database.db, { userId, email: tagged.base }, maskDomain);
      if (maskId === null) return null;
      const [reverse] = await reverseAddresses.prepare({ userId, maskId }, [
        { name: "", address: correspondent },
      ]);
      return reverse ?? null;
    },
    submit: createSubmitMail(sending),
    sendAgain: unsentReplies.sendAgain,
  };
};

import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import { parseTagged } from "../../../core/mail/taggedAddress.ts";
import { isPostmaster } from "../../delivery/serviceAddresses.ts";
import * as refusals from "../../relay/decision/refusals.ts";
import type { KeptRoom } from "../../relay/limits/keptRoom.ts";
import type { MailRoute } from "../../relay/mailRoute.ts";
import type { OpenTransaction, RecipientKind } from "../../relay/receive/recipientKind.ts";
import type { SmtpReply } from "../../smtp/smtpReplies.ts";
import type { NoticeNoRoom } from "../notifications/noRoomNotice.ts";
import { type FindMask, findMaskBeforeTag } from "./findMask.ts";
import type { NoticeOffMail } from "./offMailNotice.ts";

/** A mask, with the tag that its address has. */
export interface FoundMask {
  readonly route: MailRoute;
}

export interface MaskRecipientsDeps {
  readonly findMask: FindMask;
  /** Notifies the owner of mail to a mask that is off, where they want that. */
  readonly noticeOffMail: NoticeOffMail;
  /** Notifies the owner of a mask for whose mail there is no room. */
  readonly noticeNoRoom: NoticeNoRoom;
  readonly keptRoom: Pick<KeptRoom, "refusalFor">;
}

/** null when the mask takes mail. */
const refusalOf = (route: MailRoute): SmtpReply | null => {
  if (!route.active && route.whenOff === "refuse") return refusals.inactiveMask;
  return route.confirmed ? null : refusals.awaitingConfirmation;
};

/** Creates the kind of masks, also with tags behind their names; a mask is accepted once in a transaction. */
export const createMaskRecipients = ({
  findMask,
  noticeOffMail,
  noticeNoRoom,
  keptRoom,
}: MaskRecipientsDeps): RecipientKind<FoundMask> => {
  const findNoRoom = async (
    route: MailRoute,
    { parameters: { sender, size }, origin }: OpenTransaction,
  ): Promise<SmtpReply | null> => {
    const refusal = await keptRoom.refusalFor({ route, network: origin?.network ?? null, sender, size });
    if (refusal) await noticeNoRoom(route, refusal);
    return refusal;
  };

  const reserve = async (route: MailRoute, transaction: OpenTransaction): Promise<SmtpReply | null> => {
    if (!route.active) await noticeOffMail(route);
    const refusal = refusalOf(route);
    if (refusal || transaction.recipients.has(route.maskId)) return refusal;
    const noRoom = await findNoRoom(route, transaction);
    if (noRoom) return noRoom;
    return transaction.fits(transaction.recipients.size + 1)
      ? transaction.reserve(route)
      : refusals.tooManyForSize;
  };

  return {
    find: async ({ address, localPart, isOwnDomain }, { recipients }) => {
      if (isOwnDomain && isPostmaster(localPart)) return null;
      for (const { route } of recipients.values())
        if (route.isNew && isSameMailbox(route.maskEmail, address)) return { route };
      const route = await findMask(address);
      if (route) return { route };
      const tagged = parseTagged(address);
      if (!tagged) return null;
      const base = await findMaskBeforeTag(findMask, tagged);
      return base?.takesTags ? { route: { ...base, tag: tagged.tag } } : null;
    },
    admit: async ({ route }, transaction) => {
      const refusal = await reserve(route, transaction);
      if (!refusal) return null;
      // A mask that only this mail would have made does not exist.
      const logged = route.isNew ? { ...route, maskId: "" } : route;
      transaction.refuse([logged], refusal);
      return refusal;
    },
  };
};

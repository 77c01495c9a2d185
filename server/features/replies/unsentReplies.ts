import { heldDays } from "../../../core/held/heldMail.ts";
import type { DomainName } from "../../../core/mail/domainName.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import { readHeaderBlock } from "../../mime/headerBlock.ts";
import type { MailWithHeader } from "../../mime/mailFields.ts";
import { summarize } from "../../mime/mailSummary.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { Database } from "../../platform/store/database.ts";
import { isId } from "../../platform/store/id.ts";
import type { ReverseAddresses } from "../correspondents/reverseAddresses.ts";
import { countHeldMail } from "../held/heldCounts.ts";
import { deleteHeldMail } from "../held/heldQueries.ts";
import { findUnsentReply, insertUnsentReply } from "../held/unsentReplyQueries.ts";
import { notHeld } from "../held/userHeldMails.ts";
import type { AlsoStore } from "./commitReplies.ts";
import { findKnownRecipients, type KnownRecipients } from "./knownRecipients.ts";
import type { TellOwner } from "./ownerNotice.ts";
import * as refusals from "./replyRefusals.ts";
import type { SendFromMask } from "./sendFromMask.ts";

export interface UnsentRepliesDeps {
  readonly database: Database;
  readonly reverseAddresses: Pick<ReverseAddresses, "find" | "prepare">;
  readonly sendFromMask: SendFromMask;
  readonly tellOwner: TellOwner;
  readonly maskDomain: DomainName;
  readonly seal: Seal;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  /** Called after something was stored, to wake the event feed and, for waiting mail, the delivery. */
  readonly onQueued: (isWaiting: boolean) => void;
}

/**
 * Sends a reply that was refused and kept through its mask, as if it had just come. Rejects with 404 when the user has none
 * with this id, and with 409 when it is refused again: then it stays.
 */
export type SendReplyAgain = (userId: string, id: string, alsoStore?: AlsoStore) => Promise<void>;

/** Replies that were refused, and are kept for 7 days. */
export interface UnsentReplies {
  /** Keeps a reply of the owner of a mask, if its refusal is one to keep, and notifies them; false when it is not kept. */
  readonly keep: (
    known: KnownRecipients,
    mail: MailWithHeader,
    refusal: refusals.ReplyRefusal,
  ) => Promise<boolean>;
  readonly sendAgain: SendReplyAgain;
}

const keptNotice = (notice: string): string =>
  `${notice} It is kept for ${heldDays} days with the held mail, where you can read it and send it again.`;

const refusedAgain = ({ help, answer }: refusals.ReplyRefusal): UseCaseError =>
  new UseCaseError(
    "conflict",
    `This reply is not sent (${help?.code ?? answer.code}): ${help?.advice ?? answer.text}`,
  );

const withoutRecipients = (): UseCaseError =>
  new UseCaseError(
    "conflict",
    "This reply cannot be sent: the mask was deleted, or one of its correspondents was forgotten. Read the reply here, and write to them again.",
  );

const toRecipients = ({ recipients }: KnownRecipients) =>
  recipients.map((reverse) => ({ address: reverse.correspondent.address, reverse }));

/** Returns what keeps a reply of any mask from being sent, before its text is looked at; null for nothing. */
export const findObstacle = ({ mask, recipients }: KnownRecipients): refusals.ReplyRefusal | null => {
  if (recipients.some(({ maskId }) => maskId !== mask.maskId)) return refusals.severalMasks;
  return mask.isUsable ? null : refusals.maskSwitchedOff;
};

export const createUnsentReplies = (deps: UnsentRepliesDeps): UnsentReplies => {
  const { database, seal, clock, random, sendFromMask, tellOwner, onQueued } = deps;

  return {
    keep: async ({ mask, recipients }, mail, refusal) => {
      const { help, notice, isKept } = refusal;
      if (!isKept || notice === null) return false;
      const { userId, maskId, maskEmail } = mask;
      const { from, subject } = summarize(mail, { name: "", address: maskEmail });
      const reply = {
        userId,
        maskId,
        recipient: recipients[0]?.correspondent.address ?? "",
        localParts: recipients.map(({ localPart }) => localPart),
        content: mail.content,
        reason: `${help?.code}: ${help?.advice}`,
        from,
        subject,
      };
      const id = await database.transaction(async (tx) => {
        const now = clock.now();
        const kept = await insertUnsentReply(tx, seal, reply, { now, random });
        if (kept !== null) await countHeldMail(database.engine, tx, { userId, maskId }, "held", now);
        return kept;
      });
      if (id === null) return false;
      await tellOwner(userId, keptNotice(notice), { isRefused: true, heldId: id });
      return true;
    },

    sendAgain: async (userId, id, alsoStore = async () => {}) => {
      const kept = isId(id) ? await findUnsentReply(database.db, seal, { userId, id }) : null;
      const header = kept && readHeaderBlock(kept.content);
      if (!kept || !header) throw notHeld();
      const known = await findKnownRecipients(deps, kept.localParts);
      if (known?.mask.userId !== userId) throw withoutRecipients();
      const obstacle = findObstacle(known);
      if (obstacle) throw refusedAgain(obstacle);
      const { refusal, notices, isWaiting } = await sendFromMask({
        mask: known.mask,
        mail: { content: kept.content, header },
        recipients: toRecipients(known),
        allowsOthers: false,
        alsoStore: async (tx) => {
          const now = clock.now();
          const removed = await deleteHeldMail(database, tx, { userId, id }, now);
          if (!removed) throw notHeld();
          await countHeldMail(database.engine, tx, { userId, maskId: removed.maskId }, "released", now);
          await alsoStore(tx);
        },
      });
      if (refusal) throw refusedAgain(refusal);
      for (const notice of notices) await tellOwner(userId, notice);
      onQueued(isWaiting);
    },
  };
};

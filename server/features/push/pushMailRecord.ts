import type { ServerContext } from "../../context/serverContext.ts";
import { shortenName, toVisibleLine } from "../../mime/displayName.ts";
import { createPlannedStrangersLimit } from "../../platform/ops/hourlyLimit.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import { afterCommit } from "../../platform/store/afterCommit.ts";
import { type Db, tryInSavepoint } from "../../platform/store/database.ts";
import { type CommittedMail, type MailDecision, toOutcome } from "../../relay/decision/mailDecision.ts";
import { parseHeader } from "../../relay/evaluate/parseMail.ts";
import type { MailRecord } from "../../relay/mailPart.ts";
import { findCodes } from "../codes/codeQueries.ts";
import { announcePush, type PushNotice } from "../pushDevices/announcePush.ts";
import { pushesPerHour } from "./pushLimits.ts";
import type { PushRow } from "./pushQueries.ts";
import { shownSender } from "./shownSender.ts";

/** The sender and subject of a mail, for devices that show them. */
interface Correspondence {
  /** As it is shown. */
  readonly from: string;
  readonly subject: string;
}

const contextOf = (deviceId: string): string => `push notification of the device ${deviceId}`;

/** Decrypts sender and subject of a message; null without any. */
export const openCorrespondence = (
  seal: Pick<Seal, "open">,
  { device_id: deviceId, sealed }: Pick<PushRow, "device_id" | "sealed">,
): Correspondence | null =>
  sealed === null ? null : (JSON.parse(seal.open(sealed, contextOf(deviceId))) as Correspondence);

interface MailNotice extends PushNotice {
  readonly network: string | null;
}

/** What a mail says of itself, before the transaction. */
interface PreparedPush {
  /** Empty where no device shows it. */
  readonly subject: string;
  readonly receivedAt: number;
}

/** Returns the code that this transaction has kept of a mail; undefined for none. */
const findKeptCode = async (
  db: Db,
  { route }: MailDecision,
  receivedAt: number,
): Promise<string | undefined> => {
  if (!route.showsCodes) return undefined;
  const { userId, maskId } = route;
  const codes = await findCodes(db, { userId, maskId }, receivedAt);
  return codes.find((code) => Number(code.received_at) === receivedAt)?.id;
};

const noticesOf = (
  seal: Pick<Seal, "seal">,
  mail: CommittedMail,
  { subject, codeId }: { readonly subject: string; readonly codeId: string | undefined },
): readonly MailNotice[] => {
  const outcome = toOutcome(mail);
  if (outcome === "blocked" || outcome === "dropped") return [];
  const { route } = mail.decided;
  const { userId, maskId, maskEmail } = route;
  const shown: Correspondence = { from: shownSender(mail.decided), subject };
  const sealFor = (deviceId: string): string => seal.seal(JSON.stringify(shown), contextOf(deviceId));
  const { network } = mail;
  const common = { userId, maskId, network, ...(route.push === "facts" ? {} : { sealFor }) };
  const [heldId] = mail.heldIds;
  if (outcome === "held")
    return [{ ...common, kind: "held", text: `Mail to ${maskEmail} waits for your decision.`, heldId }];
  const news: MailNotice = { ...common, kind: "masks", text: `Mail has come to ${maskEmail}.` };
  if (codeId === undefined) return [news];
  const text = `A code or a confirmation link has come to ${maskEmail}.`;
  return [
    { ...common, kind: "codes", text, codeId },
    { ...news, unless: "codes" },
  ];
};

/** Creates what pushes mail to the devices of its owner: codes, held mail, and mail to masks that they chose. */
export const createPushMailRecord = ({
  seal,
  clock,
}: Pick<ServerContext, "seal" | "clock">): MailRecord<PreparedPush> => {
  const planShare = createPlannedStrangersLimit(clock.now, pushesPerHour);
  return {
    prepare: async ({ content, header, now: receivedAt }, decisions) => {
      if (!decisions.some(({ route }) => route.push === "content")) return { subject: "", receivedAt };
      const parsed = await parseHeader(content.head.subarray(0, header.end)).catch(() => null);
      return { subject: shortenName(toVisibleLine(parsed?.subject ?? "")), receivedAt };
    },
    store: async ({ db, now }, mails, prepared) => {
      const notices: MailNotice[] = [];
      for (const [n, mail] of mails.entries()) {
        const { route } = mail.decided;
        const said = prepared[n];
        if (route.push === "none" || !said) continue;
        const subject = route.push === "content" ? said.subject : "";
        const codeId = await findKeptCode(db, mail.decided, said.receivedAt);
        notices.push(...noticesOf(seal, mail, { subject, codeId }));
      }
      if (notices.length === 0) return;
      const { plan, count } = planShare();
      await tryInSavepoint(db, async () => {
        await announcePush(db, notices, now, ({ userId, network }) => plan(userId, network));
        afterCommit(db, count);
      });
    },
  };
};

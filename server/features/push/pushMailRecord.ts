import type { ServerContext } from "../../context/serverContext.ts";
import { shortenName, toVisibleLine } from "../../mime/displayName.ts";
import { createStrangersHourlyLimit } from "../../platform/ops/hourlyLimit.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import { tryInSavepoint } from "../../platform/store/database.ts";
import { type CommittedMail, toOutcome } from "../../relay/decision/mailDecision.ts";
import { parseHeader } from "../../relay/evaluate/parseMail.ts";
import type { MailRecord } from "../../relay/mailPart.ts";
import { announcePush, type PushNotice } from "../notifications/announcePush.ts";
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

const noticeOf = (seal: Pick<Seal, "seal">, mail: CommittedMail, subject: string): MailNotice | null => {
  const outcome = toOutcome(mail);
  if (outcome === "blocked" || outcome === "dropped") return null;
  const { route } = mail.decided;
  const { userId, maskId, maskEmail } = route;
  const shown: Correspondence = { from: shownSender(mail.decided), subject };
  const sealFor = (deviceId: string): string => seal.seal(JSON.stringify(shown), contextOf(deviceId));
  const { network } = mail;
  const common = { userId, maskId, network, ...(route.push === "facts" ? {} : { sealFor }) };
  const [heldId] = mail.heldIds;
  return outcome === "held"
    ? { ...common, kind: "held", text: `Mail to ${maskEmail} waits for your decision.`, heldId }
    : { ...common, kind: "masks", text: `Mail has come to ${maskEmail}.` };
};

/** Creates what pushes mail to the devices of its owner: held mail, and mail to masks that they chose. */
export const createPushMailRecord = ({
  seal,
  clock,
}: Pick<ServerContext, "seal" | "clock">): MailRecord<string> => {
  const mayPush = createStrangersHourlyLimit(clock.now, pushesPerHour);
  return {
    prepare: async ({ content, header }, decisions) => {
      if (!decisions.some(({ route }) => route.push === "content")) return "";
      const parsed = await parseHeader(content.head.subarray(0, header.end)).catch(() => null);
      return shortenName(toVisibleLine(parsed?.subject ?? ""));
    },
    store: async ({ db, now }, mails, subjects) => {
      const notices = mails.flatMap((mail, n) => {
        const { route } = mail.decided;
        if (route.push === "none") return [];
        const subject = route.push === "content" ? (subjects[n] ?? "") : "";
        return noticeOf(seal, mail, subject) ?? [];
      });
      if (notices.length === 0) return;
      const announced = () =>
        announcePush(db, notices, now, ({ userId, network }) => mayPush(userId, network));
      await tryInSavepoint(db, announced);
    },
  };
};

import { settingsPathOf } from "../../../core/notifications/settingsPath.ts";
import type { PushButton, PushPayload } from "../../../core/push/pushPayload.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { Db } from "../../platform/store/database.ts";
import { toMailCode } from "../codes/userCodes.ts";
import { findPublicKey } from "../encryption/publicKeyQueries.ts";
import type { PushFacts } from "../pushDevices/announcePush.ts";
import { createButton } from "./pushActions.ts";
import { findPushedCode } from "./pushedCode.ts";
import { maxBody, maxTitle } from "./pushLimits.ts";
import { openCorrespondence } from "./pushMailRecord.ts";
import type { DeviceRow, PushRow } from "./pushQueries.ts";

const titles: Readonly<Record<PushRow["kind"], string>> = {
  codes: "A code has come",
  held: "Mail is held",
  replies: "A reply was not sent",
  security: "Security of your account",
  masks: "New mail",
  test: "Test",
};

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;

const placeOf = ({ kind }: PushRow, { maskId, heldId, place }: PushFacts): string => {
  if (kind === "held" || heldId !== undefined) return "held";
  if (place !== undefined) return settingsPathOf[place].join("/");
  return (kind === "masks" || kind === "codes") && maskId !== undefined
    ? `mask?id=${encodeURIComponent(maskId)}`
    : "";
};

const countHeld = async (db: Db, userId: string): Promise<number> => {
  const { n } = await db
    .selectFrom("held_mails")
    .where("user_id", "=", userId)
    .select(({ fn }) => fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(n);
};

const buttonsOf = (
  seal: Pick<Seal, "seal">,
  { kind, device_id: deviceId }: PushRow,
  { maskId, heldId }: PushFacts,
  now: number,
): readonly PushButton[] => [
  ...(kind === "held" && heldId !== undefined
    ? [createButton(seal, { deviceId, action: "allow", id: heldId }, now)]
    : []),
  ...((kind === "held" || kind === "masks") && maskId !== undefined
    ? [createButton(seal, { deviceId, action: "switch-off", id: maskId }, now)]
    : []),
];

/**
 * Returns what a device is sent for a message; sender and subject only where its user shows them, subject and code not for an
 * account that has got a key meanwhile.
 */
export const payloadOf = async (
  { db, seal, now }: { readonly db: Db; readonly seal: Pick<Seal, "seal" | "open">; readonly now: number },
  message: PushRow,
  device: DeviceRow,
): Promise<PushPayload> => {
  const facts = JSON.parse(message.body) as PushFacts;
  const shown = device.shows_sender === 1 ? openCorrespondence(seal, message) : null;
  const isReadable = (await findPublicKey(db, device.user_id)) === undefined;
  const row = isReadable ? await findPushedCode(db, device.user_id, facts, now) : undefined;
  const { code, unproven = false } = (row && toMailCode(seal, row)) ?? {};
  const subject = isReadable && message.kind !== "codes" ? shown?.subject : undefined;
  const lines = [code, unproven ? "Nothing proves who sent it." : "", subject, facts.text].filter(
    (line) => line !== undefined && line !== "",
  );
  return {
    title: cut(shown?.from ? shown.from : titles[message.kind], maxTitle),
    body: cut(lines.join("\n"), maxBody),
    tag: `${message.kind}-${message.id}`,
    place: placeOf(message, facts),
    held: await countHeld(db, device.user_id),
    buttons: buttonsOf(seal, message, facts, now),
  };
};

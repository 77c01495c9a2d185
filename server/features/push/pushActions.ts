import { dayMs } from "../../../core/kernel/durations.ts";
import type { PushAction, PushButton } from "../../../core/push/pushPayload.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import { decideHeldSender } from "../held/userHeldMails.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import { editMask } from "../masks/editMask.ts";
import { pushActionDays } from "./pushLimits.ts";

/** What the token of a button lets its bearer do: one act, until a moment, while the device is one of its user's. */
interface Grant {
  readonly deviceId: string;
  readonly action: PushAction;
  /** The id of the held mail that is allowed, or of the mask that is switched. */
  readonly id: string;
  readonly until: number;
}

const sealContext = "button of a push notification";

const titles: Readonly<Record<PushAction, string>> = {
  allow: "Allow sender",
  "switch-off": "Switch mask off",
  "switch-on": "Undo",
};

const texts: Readonly<Record<PushAction, string>> = {
  allow: "The sender is allowed, and the email is on its way.",
  "switch-off": "The mask is switched off.",
  "switch-on": "The mask is switched on again.",
};

/** Creates a button for a device. */
export const createButton = (
  seal: Pick<Seal, "seal">,
  { deviceId, action, id }: Omit<Grant, "until">,
  now: number,
): PushButton => {
  const grant: Grant = { deviceId, action, id, until: now + pushActionDays * dayMs };
  return { action, title: titles[action], token: seal.seal(JSON.stringify(grant), sealContext) };
};

const tooOld = (): UseCaseError =>
  new UseCaseError("missing", "This notification is too old. Open the app to decide there.");

const readGrant = (seal: Pick<Seal, "open">, token: string, now: number): Grant => {
  try {
    const grant = JSON.parse(seal.open(token, sealContext)) as Grant;
    if (grant.until > now) return grant;
  } catch {
    // Whoever has made it up learns no more than that.
  }
  throw tooOld();
};

/** The answer to a button that was pressed. */
export interface PressedButton {
  readonly text: string;
  readonly undo: Pick<PushButton, "title" | "token"> | null;
}

/** Does what a button offers. Rejects with "missing" when its token is too old or its device was removed. */
export const pressButton = async (
  context: MaskDeps & Pick<ServerContext, "seal" | "bodies">,
  token: string,
): Promise<PressedButton> => {
  const { database, seal, clock, feed } = context;
  const now = clock.now();
  const { deviceId, action, id } = readGrant(seal, token, now);
  const owner = await database.db
    .selectFrom("push_devices")
    .innerJoin("users", "users.id", "push_devices.user_id")
    .where("push_devices.id", "=", deviceId)
    .where("users.suspended", "=", 0)
    .select("push_devices.user_id as userId")
    .executeTakeFirst();
  if (!owner) throw tooOld();
  const { userId } = owner;
  if (action === "allow")
    await database.transaction((tx) => decideHeldSender(context, tx, userId, { id, list: "allow" }));
  else {
    const change = { id, edit: { active: action === "switch-on" }, baseVersion: null };
    const edit = await editMask(context, { userId, clientId: null }, change);
    await database.transaction(edit);
  }
  feed.wake();
  const undo =
    action === "switch-off" ? createButton(seal, { deviceId, action: "switch-on", id }, now) : null;
  return { text: texts[action], undo };
};

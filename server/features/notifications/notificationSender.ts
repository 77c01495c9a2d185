import type { Selectable } from "kysely";
import type { Notification } from "../../../core/notifications/notification.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { NotificationsTable } from "./notificationTables.ts";

/** The sender of a mail to a mask, as it is stored: a copy of the database does not name them. */
export interface SealedSender {
  readonly maskId: string;
  readonly sealed: string;
}

const contextOf = (maskId: string): string => `sender in a notification of mask ${maskId}`;

/** Encrypts the sender of a mail that a notification is about; nothing without an address. */
export const sealSender = (
  seal: Pick<Seal, "seal">,
  maskId: string | null,
  address: string | undefined,
): { readonly sender?: SealedSender } =>
  maskId !== null && address?.includes("@")
    ? { sender: { maskId, sealed: seal.seal(address, contextOf(maskId)) } }
    : {};

/** Decrypts the sender of a stored notification; nothing without one, or when another key encrypted it. */
export const openSender = (
  seal: Pick<Seal, "open">,
  { mask_id: maskId, sender }: Pick<Selectable<NotificationsTable>, "mask_id" | "sender">,
): Pick<Notification, "sender"> => {
  if (maskId === null || sender === null) return {};
  try {
    return { sender: { maskId, address: seal.open(sender, contextOf(maskId)) } };
  } catch {
    return {};
  }
};

import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { MaskDeps } from "../maskDeps.ts";
import { createEditMask } from "../masks/editMask.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { createUserMaskSenders } from "../senders/userMaskSenders.ts";
import type { ActionLink, LinkedAction } from "./actionLinks.ts";

/** The mask of a link, and its owner. */
export interface LinkedMask {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly isActive: boolean;
}

/** Does what a link offers and returns the action that takes it back. Doing it again changes nothing. */
export type RunAction = (mask: LinkedMask, link: ActionLink) => Promise<LinkedAction>;

const notificationText = ({ email }: LinkedMask, { action, sender }: ActionLink): string => {
  const how = "by a link in a forwarded email.";
  switch (action) {
    case "switch-off":
      return `${email} was switched off ${how}`;
    case "switch-on":
      return `${email} was switched on again ${how}`;
    case "block":
      return `${sender} was blocked at ${email} ${how}`;
    case "unblock":
      return `${sender} is no longer blocked at ${email}. This was undone ${how}`;
    case "allow":
      return `${sender} is allowed again at ${email}. This was undone ${how}`;
  }
};

const undoOf = (before: "allow" | "block" | null): LinkedAction => (before === "allow" ? "allow" : "unblock");

/** Creates the function that does what a link offers; the owner reads of each change in a notification. */
export const createRunAction = (deps: MaskDeps): RunAction => {
  const { database, clock, feed } = deps;
  const editMask = createEditMask(deps);
  const senders = createUserMaskSenders(deps);
  const recordNothing = async <A>(_: unknown, answer: A): Promise<A> => answer;
  const notifyOwner = async (mask: LinkedMask, link: ActionLink): Promise<void> => {
    const message = notificationText(mask, link);
    const notification = { userId: mask.userId, type: "info", priority: "normal", message } as const;
    await database.transaction((db) => addNotification(db, notification, clock.now()));
    feed.wake();
  };
  const setActive = async (mask: LinkedMask, link: ActionLink, active: boolean): Promise<void> => {
    if (mask.isActive === active) return;
    const change = { id: mask.id, edit: { active }, baseVersion: null };
    await editMask({ userId: mask.userId, clientId: null }, change, recordNothing);
    await notifyOwner(mask, link);
  };
  return async (mask, link) => {
    const { action, sender } = link;
    const listed = { maskId: mask.id, sender };
    switch (action) {
      case "switch-off":
        await setActive(mask, link, false);
        return "switch-on";
      case "switch-on":
        await setActive(mask, link, true);
        return "switch-off";
      case "block":
      case "allow": {
        const { before } = await senders.put(mask.userId, { ...listed, list: action }, recordNothing);
        if (before !== action) await notifyOwner(mask, link);
        return action === "allow" ? "block" : undoOf(before);
      }
      case "unblock": {
        const removed = await senders
          .remove(mask.userId, listed, async () => {})
          .then(
            () => true,
            (error: unknown) => {
              if (error instanceof UseCaseError && error.kind === "missing") return false;
              throw error;
            },
          );
        if (removed) await notifyOwner(mask, link);
        return "block";
      }
    }
  };
};

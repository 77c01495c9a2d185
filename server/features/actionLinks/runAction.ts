import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db, Write } from "../../platform/store/database.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import { editMask } from "../masks/editMask.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { listSender, unlistSender } from "../senders/userMaskSenders.ts";
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

/** A sender that is on no list any more is no failure: the link may be used again. */
const withoutMissing = async (removing: Promise<void>): Promise<void> => {
  try {
    await removing;
  } catch (error) {
    if (!(error instanceof UseCaseError && error.kind === "missing")) throw error;
  }
};

/** Creates the function that does what a link offers; the owner reads of each change in a notification. */
export const createRunAction = (deps: MaskDeps): RunAction => {
  const { database, clock, feed } = deps;
  const commit = async <A>(write: Write<A>): Promise<A> => {
    const answer = await database.transaction(write);
    feed.wake();
    return answer;
  };
  return async (linked, link) => {
    const { action, sender } = link;
    const { userId, id: maskId } = linked;
    const mask = { userId, maskId };
    const notifyOwner = async (tx: Db): Promise<void> => {
      const message = notificationText(linked, link);
      await addNotification(tx, { userId, type: "info", priority: "normal", message }, clock.now());
    };
    const setActive = async (active: boolean): Promise<void> => {
      if (linked.isActive === active) return;
      const change = { id: maskId, edit: { active }, baseVersion: null };
      const edit = await editMask(deps, { userId, clientId: null }, change);
      await commit(async (tx) => {
        await edit(tx);
        await notifyOwner(tx);
      });
    };
    switch (action) {
      case "switch-off":
        await setActive(false);
        return "switch-on";
      case "switch-on":
        await setActive(true);
        return "switch-off";
      case "block":
      case "allow": {
        const before = await commit(async (tx) => {
          const listed = await listSender(deps, tx, mask, { sender, list: action });
          if (listed.before !== action) await notifyOwner(tx);
          return listed.before;
        });
        return action === "allow" ? "block" : undoOf(before);
      }
      case "unblock": {
        const unlisting = commit(async (tx) => {
          await unlistSender(deps, tx, mask, sender);
          await notifyOwner(tx);
        });
        await withoutMissing(unlisting);
        return "block";
      }
    }
  };
};

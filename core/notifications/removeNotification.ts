import * as E from "fp-ts/lib/Either.js";
import type { SchedulerLike } from "rxjs";
import { makeRestorable } from "../kernel/restorable.ts";
import type { State } from "../kernel/state.ts";
import { sentenceFor } from "../sentences/sentenceFor.ts";
import { type ShowToast, toastForMs } from "../toasts/toast.ts";
import { removedHere, removedThere, restored } from "./heldNotifications.ts";
import type { NotificationId } from "./notification.ts";
import type { NotificationGateway } from "./notificationGateway.ts";
import type { Shelf } from "./shelf.ts";

/** Deletes notifications, each a while after it was asked for. */
export interface Removal {
  /** Those that may still be taken back. */
  readonly restorable$: State<ReadonlySet<NotificationId>>;
  /** Gone at once, and on the server as soon as it cannot be taken back any more: after 5 s. */
  readonly remove: (id: NotificationId) => void;
  readonly restore: (id: NotificationId) => void;
  /** Forgets what has not been told to the server yet. */
  readonly clear: () => void;
}

interface Needs {
  readonly shelf: Shelf;
  readonly gateway: NotificationGateway;
  readonly toast: ShowToast;
  readonly scheduler: SchedulerLike;
}

/** As long as a message about it would stand there. */
const restorableForMs = toastForMs;

export const makeRemoval = ({ shelf, gateway, toast, scheduler }: Needs): Removal => {
  const restorable = makeRestorable<NotificationId>(scheduler, restorableForMs);
  const commit = (id: NotificationId): void => {
    const isSame = shelf.sameUser();
    void gateway
      .remove(id)()
      .then((result) => {
        if (!isSame()) return;
        if (E.isRight(result)) return shelf.change((held) => removedThere(held, id));
        shelf.change((held) => restored(held, id));
        toast("error", sentenceFor("removeNotification", result.left, "toast"));
      });
  };
  return {
    restorable$: restorable.keys$,
    remove: (id) => {
      if (shelf.held$.value.removed.has(id)) return;
      shelf.change((held) => removedHere(held, id));
      restorable.hold(id, () => commit(id));
    },
    restore: (id) => {
      if (restorable.release(id)) shelf.change((held) => restored(held, id));
    },
    clear: restorable.clear,
  };
};

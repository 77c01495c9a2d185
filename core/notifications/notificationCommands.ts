import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { SchedulerLike } from "rxjs";
import { errorMessage, type Problem, problemOf } from "../api/errorMessages.ts";
import type { State } from "../kernel/state.ts";
import { createRestorable } from "../kernel/timedState.ts";
import { type ShowToast, toastForMs } from "../kernel/toast.ts";
import type { NotificationId } from "./notification.ts";
import type { ReadTarget } from "./notificationEndpoints.ts";
import type { NotificationGateway } from "./notificationGateway.ts";
import {
  applyServerRemoval,
  confirmLocalRead,
  markReadLocally,
  removeLocally,
  undoLocalRead,
  undoLocalRemoval,
} from "./notificationList.ts";
import type { NotificationStore } from "./notificationStore.ts";

interface MarkReadDeps {
  readonly store: NotificationStore;
  readonly gateway: NotificationGateway;
  readonly toast: ShowToast;
}

/** Marks one or all notifications as read immediately, and takes it back when the request fails. */
export const createMarkRead =
  ({ store, gateway, toast }: MarkReadDeps) =>
  (target: ReadTarget): TE.TaskEither<Problem, void> =>
  () => {
    const isSameOwner = store.captureOwner();
    const confirm = (): void => {
      if (isSameOwner()) store.change((list) => confirmLocalRead(list, target));
    };
    store.change((list) => markReadLocally(list, target));
    return pipe(
      gateway.markRead(target),
      TE.map(confirm),
      TE.mapLeft((failure) => {
        if (isSameOwner()) {
          store.change((list) => undoLocalRead(list, target));
          toast("error", errorMessage("readNotification", failure, "toast"));
        }
        return problemOf("readNotification")(failure);
      }),
    )();
  };

/** Deletes notifications after a time in which the deletion can be undone. */
export interface NotificationRemoval {
  /** The ids of the removed notifications that can be restored. */
  readonly restorable$: State<ReadonlySet<NotificationId>>;
  /** Hides a notification immediately and deletes it on the server after 5 s. */
  readonly remove: (id: NotificationId) => void;
  readonly restore: (id: NotificationId) => void;
  /** Drops the deletions that have not been sent yet. */
  readonly clear: () => void;
}

interface NotificationRemovalDeps {
  readonly store: NotificationStore;
  readonly gateway: NotificationGateway;
  readonly toast: ShowToast;
  readonly scheduler: SchedulerLike;
}

/** The time to undo a deletion: as long as a toast is shown. */
const restorableForMs = toastForMs;

export const createNotificationRemoval = ({
  store,
  gateway,
  toast,
  scheduler,
}: NotificationRemovalDeps): NotificationRemoval => {
  const restorable = createRestorable<NotificationId>(scheduler, restorableForMs);
  const commit = (id: NotificationId): void => {
    const isSameOwner = store.captureOwner();
    void gateway
      .remove(id)()
      .then((result) => {
        if (!isSameOwner()) return;
        if (E.isRight(result)) return store.change((list) => applyServerRemoval(list, id));
        store.change((list) => undoLocalRemoval(list, id));
        toast("error", errorMessage("removeNotification", result.left, "toast"));
      });
  };
  return {
    restorable$: restorable.keys$,
    remove: (id) => {
      if (store.list$.value.locallyRemoved.has(id)) return;
      store.change((list) => removeLocally(list, id));
      restorable.add(id, () => commit(id));
    },
    restore: (id) => {
      if (restorable.remove(id)) store.change((list) => undoLocalRemoval(list, id));
    },
    clear: restorable.clear,
  };
};

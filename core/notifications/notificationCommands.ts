import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import type * as TE from "fp-ts/lib/TaskEither.js";
import type { SchedulerLike } from "rxjs";
import { errorMessage, type Problem, problemOf } from "../api/errorMessages.ts";
import type { Failure } from "../kernel/failure.ts";
import type { Resource } from "../kernel/resource.ts";
import type { State } from "../kernel/state.ts";
import { deferTask, mapResult, startTask } from "../kernel/task.ts";
import { createRestorable } from "../kernel/timedState.ts";
import { type ShowToast, toastForMs } from "../kernel/toast.ts";
import type { NotificationId } from "./notification.ts";
import type { ReadTarget } from "./notificationEndpoints.ts";
import type { NotificationGateway } from "./notificationGateway.ts";
import {
  applyServerRemoval,
  confirmLocalRead,
  markReadLocally,
  type NotificationList,
  removeLocally,
} from "./notificationList.ts";

interface CommandDeps {
  readonly list: Resource<NotificationList>;
  readonly gateway: NotificationGateway;
  readonly toast: ShowToast;
}

/** Marks one or all notifications as read immediately, and takes it back when the request fails. */
export const createMarkRead =
  ({ list, gateway, toast }: CommandDeps) =>
  (target: ReadTarget): TE.TaskEither<Problem, void> =>
    deferTask(() => {
      const upTo = list.state$.value.value.highestId;
      const expect = (known: NotificationList) => markReadLocally(known, target, upTo);
      const onFailure = (failure: Failure): void =>
        toast("error", errorMessage("readNotification", failure, "toast"));
      return pipe(
        list.change({
          key: JSON.stringify(target),
          expect,
          send: gateway.markRead(target),
          settle: (known) => confirmLocalRead(expect(known), target),
        }),
        list.owner.tap(E.match(onFailure, () => {})),
        mapResult(E.mapLeft(problemOf("readNotification"))),
      );
    });

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

interface NotificationRemovalDeps extends CommandDeps {
  readonly scheduler: SchedulerLike;
}

/** The time to undo a deletion: as long as a toast is shown. */
const restorableForMs = toastForMs;

export const createNotificationRemoval = ({
  list,
  gateway,
  toast,
  scheduler,
}: NotificationRemovalDeps): NotificationRemoval => {
  const restorable = createRestorable<NotificationId>(scheduler, restorableForMs);
  const commit = (id: NotificationId): void => {
    const expect = (known: NotificationList) => removeLocally(known, id);
    const onFailure = (failure: Failure): void =>
      toast("error", errorMessage("removeNotification", failure, "toast"));
    startTask(
      pipe(
        list.change({
          key: id,
          expect,
          send: gateway.remove(id),
          settle: (known) => applyServerRemoval(expect(known), id),
        }),
        list.owner.tap(E.match(onFailure, () => {})),
      ),
    );
  };
  return {
    restorable$: restorable.keys$,
    remove: (id) => {
      const isRemoved = restorable.keys$.value.has(id) || list.state$.value.value.locallyRemoved.has(id);
      if (!isRemoved) restorable.add(id, () => commit(id));
    },
    restore: (id) => void restorable.remove(id),
    clear: restorable.clear,
  };
};

import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { errorMessage, type Problem, problemOf } from "../api/errorMessages.ts";
import type { ShowToast, ToastKind } from "../kernel/toast.ts";
import { type Notification, type NotificationPage, notificationHistory } from "./notification.ts";
import type { NotificationEvent, NotificationGateway } from "./notificationGateway.ts";
import {
  addNewer,
  addPushed,
  applyServerRead,
  applyServerRemoval,
  isInconsistent,
  markLive,
  markNotLive,
  type NotificationList,
  replaceAll,
} from "./notificationList.ts";
import type { NotificationStore } from "./notificationStore.ts";

interface Deps {
  readonly store: NotificationStore;
  readonly toast: ShowToast;
}

/** Keeps the notification store in step with the server. */
export interface NotificationSync {
  /** Loads the whole list. */
  readonly reload: (gateway: NotificationGateway) => TE.TaskEither<Problem, void>;
  /**
   * Loads the notifications after the highest known id, or the whole list where that is not enough.
   * Afterwards the server pushes every new notification, until `onDisconnected`.
   */
  readonly catchUp: (gateway: NotificationGateway) => TE.TaskEither<Problem, void>;
  /** Marks the list as possibly incomplete because the socket is closed. */
  readonly onDisconnected: () => void;
  /** Applies a pushed change; returns true when the list must be fetched to apply it. */
  readonly handleEvent: (event: NotificationEvent) => boolean;
}

const kinds: readonly string[] = ["success", "warning", "error"] satisfies readonly ToastKind[];
const kindOf = ({ type = "info" }: Notification): ToastKind =>
  kinds.includes(type) ? (type as ToastKind) : "info";

const isUrgent = ({ priority, read }: Notification): boolean =>
  read !== true && (priority === "high" || priority === "urgent");

const contains = ({ items, locallyRemoved }: NotificationList, id: string): boolean =>
  locallyRemoved.has(id) || items.some((one) => one.id === id);

export const createNotificationSync = ({ store, toast }: Deps): NotificationSync => {
  /** Shows a toast for each notification of high or urgent priority, the oldest first (NO1). */
  const announce = (notifications: readonly Notification[]): void => {
    for (const one of notifications.toReversed()) if (isUrgent(one)) toast(kindOf(one), one.message);
  };
  /** Applies a page; the notifications of the first page show no toasts. */
  const applyPage = (page: NotificationPage, change: (list: NotificationList) => NotificationList): void => {
    const before = store.list$.value;
    const isFirst = store.status$.value.status !== "ready";
    const isNew = ({ id }: Notification): boolean => Number(id) > before.knownUpTo && !contains(before, id);
    store.change(change);
    store.setStatus("ready");
    if (!isFirst) announce(page.notifications.filter(isNew));
  };
  const fetchPage = (
    gateway: NotificationGateway,
    after: number | undefined,
    change: (page: NotificationPage) => (list: NotificationList) => NotificationList,
  ): TE.TaskEither<Problem, NotificationPage | null> => {
    const isSameOwner = store.captureOwner();
    return pipe(
      gateway.list(after === undefined ? undefined : String(after)),
      TE.map((page) => {
        if (!isSameOwner()) return null;
        applyPage(page, change(page));
        return page;
      }),
      TE.mapLeft((failure) => {
        if (isSameOwner() && store.status$.value.status !== "ready")
          store.setStatus("failed", errorMessage("listNotifications", failure));
        return problemOf("listNotifications")(failure);
      }),
    );
  };
  const reload =
    (gateway: NotificationGateway): TE.TaskEither<Problem, void> =>
    () => {
      const { highestId } = store.list$.value;
      return pipe(
        fetchPage(gateway, undefined, (page) => (list) => replaceAll(list, page, highestId)),
        TE.map(() => undefined),
      )();
    };
  const loadNewer = (gateway: NotificationGateway): TE.TaskEither<Problem, void> => {
    const { knownUpTo } = store.list$.value;
    if (knownUpTo === 0 || store.status$.value.status !== "ready") return reload(gateway);
    const isComplete = (page: NotificationPage | null): boolean =>
      page === null ||
      (page.notifications.length < notificationHistory && !isInconsistent(store.list$.value));
    return pipe(
      fetchPage(gateway, knownUpTo, (page) => (list) => addNewer(list, page, knownUpTo)),
      TE.chain((page) => (isComplete(page) ? TE.right(undefined) : reload(gateway))),
    );
  };
  let connection = 0;
  const catchUp =
    (gateway: NotificationGateway): TE.TaskEither<Problem, void> =>
    () => {
      const connectionAtStart = connection;
      const finish = (): void => {
        if (connectionAtStart === connection) store.change(markLive);
      };
      return pipe(loadNewer(gateway), TE.map(finish))();
    };
  const onDisconnected = (): void => {
    connection += 1;
    store.change(markNotLive);
  };
  const handleEvent = (event: NotificationEvent): boolean => {
    switch (event.kind) {
      case "arrived":
        if (!contains(store.list$.value, event.notification.id)) {
          store.change((list) => addPushed(list, event.notification));
          announce([event.notification]);
        }
        return false;
      case "read":
        store.change((list) => applyServerRead(list, event.target, event.unread));
        return false;
      case "removed":
        store.change((list) => applyServerRemoval(list, event.id));
        return false;
      case "changed":
        return event.id === undefined || !contains(store.list$.value, event.id);
    }
  };
  return { reload, catchUp, onDisconnected, handleEvent };
};

import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import type { Resource } from "../kernel/resource.ts";
import { deferTask, mapResult } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import { type Notification, type NotificationPage, notificationHistory, typeOf } from "./notification.ts";
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

interface Deps {
  readonly list: Resource<NotificationList>;
  readonly toast: ShowToast;
}

/** Keeps the notification store in step with the server. */
export interface NotificationSync {
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

const isUrgent = ({ priority, read }: Notification): boolean =>
  read !== true && (priority === "high" || priority === "urgent");

const contains = ({ items, locallyRemoved }: NotificationList, id: string): boolean =>
  locallyRemoved.has(id) || items.some((one) => one.id === id);

export const createNotificationSync = ({ list, toast }: Deps): NotificationSync => {
  /** Shows a toast for each notification of high or urgent priority, the oldest first (NO1). */
  const announce = (notifications: readonly Notification[]): void => {
    for (const one of notifications.toReversed()) if (isUrgent(one)) toast(typeOf(one), one.message);
  };
  const current = (): NotificationList => list.state$.value.value;
  const isLoaded = (): boolean => list.known() !== null;
  /** Applies a page; the notifications of the first page show no toasts. */
  const applyPage = (page: NotificationPage, change: (known: NotificationList) => NotificationList): void => {
    const before = current();
    const isFirst = !isLoaded();
    const isNew = ({ id }: Notification): boolean =>
      !(Number(id) <= before.knownUpTo) && !contains(before, id);
    list.accept(change);
    if (!isFirst) announce(page.notifications.filter(isNew));
  };
  const fetchPage = (
    gateway: NotificationGateway,
    after: number | undefined,
    change: (page: NotificationPage) => (known: NotificationList) => NotificationList,
  ): TE.TaskEither<Problem, NotificationPage> =>
    pipe(
      gateway.list(after === undefined ? undefined : String(after)),
      list.owner.tap(
        E.match(
          (failure) => list.reject(failure),
          (page) => applyPage(page, change(page)),
        ),
      ),
      mapResult(E.mapLeft(problemOf("listNotifications"))),
    );
  const reload = (gateway: NotificationGateway): TE.TaskEither<Problem, void> =>
    deferTask(() => {
      const { highestId } = current();
      return pipe(
        fetchPage(gateway, undefined, (page) => (known) => replaceAll(known, page, highestId)),
        mapResult(E.map(() => undefined)),
      );
    });
  const loadNewer = (gateway: NotificationGateway): TE.TaskEither<Problem, void> => {
    const { knownUpTo } = current();
    if (knownUpTo === 0 || !isLoaded()) return reload(gateway);
    const isCurrent = list.owner.capture();
    const isComplete = (page: NotificationPage): boolean =>
      !isCurrent() || (page.notifications.length < notificationHistory && !isInconsistent(current()));
    return pipe(
      fetchPage(gateway, knownUpTo, (page) => (known) => addNewer(known, page, knownUpTo)),
      TE.chain((page) => (isComplete(page) ? TE.right(undefined) : reload(gateway))),
    );
  };
  let connection = 0;
  const catchUp = (gateway: NotificationGateway): TE.TaskEither<Problem, void> =>
    deferTask(() => {
      const connectionAtStart = connection;
      const finish = (): void => {
        if (connectionAtStart === connection) list.put(markLive);
      };
      return pipe(loadNewer(gateway), mapResult(E.map(finish)));
    });
  const onDisconnected = (): void => {
    connection += 1;
    list.put(markNotLive);
  };
  const handleEvent = (event: NotificationEvent): boolean => {
    switch (event.kind) {
      case "arrived":
        if (!contains(current(), event.notification.id)) {
          list.put((known) => addPushed(known, event.notification, event.source));
          announce([event.notification]);
        }
        return false;
      case "read":
        list.put((known) => applyServerRead(known, event.target, event.unread));
        return false;
      case "removed":
        list.put((known) => applyServerRemoval(known, event.id));
        return false;
      case "changed":
        return event.id === undefined || !contains(current(), event.id);
    }
  };
  return { reload, catchUp, onDisconnected, handleEvent };
};

import * as E from "fp-ts/lib/Either.js";
import type * as TE from "fp-ts/lib/TaskEither.js";
import {
  auditTime,
  defer,
  EMPTY,
  filter,
  ignoreElements,
  merge,
  mergeMap,
  type Observable,
  of,
  type Subscription,
  share,
  switchMap,
  takeUntil,
  tap,
  timer,
} from "rxjs";
import { errorMessage, type Problem } from "../api/errorMessages.ts";
import { leftOutText } from "../api/wireCodecs.ts";
import { Resource, type ResourceState } from "../kernel/resource.ts";
import { combineState, type State } from "../kernel/state.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { Clock } from "../ports/clock.ts";
import type { User } from "../session/user.ts";
import { Notification, type NotificationId } from "./notification.ts";
import { createMarkRead, createNotificationRemoval } from "./notificationCommands.ts";
import { type NotificationEvent, type NotificationGateway, withFallback } from "./notificationGateway.ts";
import {
  emptyNotificationList,
  isReadLocally,
  type NotificationList,
  removeLocally,
} from "./notificationList.ts";
import { createNotificationSync } from "./notificationSync.ts";

/** A notification as it is shown; a removed one can be restored. */
interface ShownNotification extends Notification {
  readonly read: boolean;
  readonly removed: boolean;
}

const isRead = (list: NotificationList, notification: Notification): boolean =>
  notification.read === true || isReadLocally(list, notification);

/** Lists the notifications to show, the newest first. `restorable`: the removed ones that can be restored. */
const toShownNotifications = (
  list: NotificationList,
  restorable: ReadonlySet<NotificationId>,
): readonly ShownNotification[] =>
  list.items
    .filter(({ id }) => !list.locallyRemoved.has(id) || restorable.has(id))
    .map((notification) => ({
      ...notification,
      read: isRead(list, notification),
      removed: list.locallyRemoved.has(notification.id),
    }));

/** Counts the unread notifications with the local changes applied; never below 0 (NO1). */
const countUnreadShown = (list: NotificationList): number => {
  const unread = list.items.filter(({ read }) => read !== true);
  const remaining = unread.filter(({ id }) => !list.locallyRemoved.has(id));
  if (list.locallyReadUpTo > 0)
    return remaining.filter((notification) => !isReadLocally(list, notification)).length;
  const locallyDone =
    unread.length - remaining.filter((notification) => !isReadLocally(list, notification)).length;
  return Math.max(0, list.unread - locallyDone);
};

export interface NotificationsView {
  readonly status: "loading" | "ready" | "failed";
  readonly message: string;
  /** The newest 50 notifications, the newest first. */
  readonly list: readonly ShownNotification[];
  /** Says how many could not be shown; empty for none. */
  readonly leftOut: string;
  /** The number of unread notifications; never below 0, and may exceed the length of the list. */
  readonly unread: number;
}

const toNotificationsView = (
  { status, failure, value }: ResourceState<NotificationList>,
  restorable: ReadonlySet<NotificationId>,
): NotificationsView => {
  const shown = [...restorable].reduce(removeLocally, value);
  return {
    status: status === "stale" ? "ready" : status,
    message: status === "failed" && failure !== null ? errorMessage("listNotifications", failure) : "",
    list: toShownNotifications(shown, restorable),
    leftOut: leftOutText(value.leftOut, "notification"),
    unread: countUnreadShown(shown),
  };
};

/** The notifications of the signed-in user, kept up to date (NO1). */
export interface Inbox {
  readonly view$: State<NotificationsView>;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  readonly markRead: (id: NotificationId) => TE.TaskEither<Problem, void>;
  readonly markAllRead: () => TE.TaskEither<Problem, void>;
  /** Shows the notification as removed for 5 s, in which it can be restored, and then deletes it. */
  readonly remove: (id: NotificationId) => void;
  readonly restore: (id: NotificationId) => void;
  /** Accepts a notification from a source other than the socket; ignores values that are no notification. */
  readonly receive: (something: unknown) => void;
  readonly start: () => Subscription;
}

export interface InboxDeps {
  readonly clock: Clock;
  /** Emits when the signed-in user changes; null when nobody is signed in. */
  readonly user$: Observable<User | null>;
  /** The gateway over HTTP, which works without a socket. */
  readonly httpGateway: NotificationGateway;
  /** The gateway over the socket, which works while it is connected. */
  readonly socketGateway: NotificationGateway;
  readonly events$: Observable<NotificationEvent>;
  /** True when the socket is connected again and notifications may have been missed; false when it is closed. */
  readonly isConnected$: Observable<boolean>;
  readonly toast: ShowToast;
  /** The time that the first request waits for the socket, which requires one anyway when it connects; 0 without sockets. */
  readonly waitForSocketMs: number;
}

/** Changes within this time, in milliseconds, lead to one request. */
const changesWindowMs = 250;

export const createInbox = (deps: InboxDeps): Inbox => {
  const { clock, httpGateway, socketGateway, toast } = deps;
  const { scheduler } = clock;
  const gateway = withFallback(socketGateway, httpGateway);
  const httpFirst = withFallback(httpGateway, socketGateway);
  const list = new Resource({ initial: emptyNotificationList });
  const sync = createNotificationSync({ list, toast });
  const markRead = createMarkRead({ list, gateway, toast });
  const removal = createNotificationRemoval({ list, gateway, toast, scheduler });
  const refresh = (): TE.TaskEither<Problem, void> => sync.reload(gateway);

  const updates$ = defer(() => {
    const unclear$ = deps.events$.pipe(filter(sync.handleEvent), auditTime(changesWindowMs, scheduler));
    const reconnected$ = deps.isConnected$.pipe(
      tap((isConnected) => {
        if (!isConnected) sync.onDisconnected();
      }),
      filter((isConnected) => isConnected),
      share(),
    );
    const isSocketLate$ = deps.waitForSocketMs === 0 ? of(0) : timer(deps.waitForSocketMs, scheduler);
    return merge(
      isSocketLate$.pipe(
        takeUntil(reconnected$),
        mergeMap(() => defer(sync.reload(httpGateway))),
      ),
      merge(reconnected$, unclear$).pipe(mergeMap(() => defer(sync.catchUp(httpFirst)))),
    ).pipe(ignoreElements());
  });
  const changeOwner = (user: User | null): void => {
    removal.clear();
    list.setOwner(user?.email ?? null);
  };
  return {
    view$: combineState([list.state$, removal.restorable$], toNotificationsView),
    refresh,
    markRead: (notificationId) => markRead({ notificationId }),
    markAllRead: () => markRead({ all: true }),
    remove: removal.remove,
    restore: removal.restore,
    receive: (something) => {
      const decoded = Notification.decode(something);
      if (list.owner.current() !== null && E.isRight(decoded))
        sync.handleEvent({ kind: "arrived", notification: decoded.right, source: "page" });
    },
    start: () => {
      const subscription = deps.user$
        .pipe(
          switchMap((user) => {
            changeOwner(user);
            return user === null ? EMPTY : updates$;
          }),
        )
        .subscribe();
      subscription.add(() => changeOwner(null));
      return subscription;
    },
  };
};

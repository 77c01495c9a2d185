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
  type Subscription,
  switchMap,
  tap,
} from "rxjs";
import type { User } from "../account/user.ts";
import { combineState, type State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import type { Problem } from "../sentences/problem.ts";
import type { ShowToast } from "../toasts/toast.ts";
import { makeMarkRead } from "./markRead.ts";
import { Notification, type NotificationId } from "./notification.ts";
import { either, type NotificationGateway } from "./notificationGateway.ts";
import type { NotificationNews } from "./notificationNews.ts";
import { makeNotificationReading } from "./notificationReading.ts";
import { makeRemoval } from "./removeNotification.ts";
import { makeShelf, type ShelfStatus } from "./shelf.ts";
import { type ShownNotification, shownOf, unreadOf } from "./shownNotifications.ts";

export interface NotificationsView extends ShelfStatus {
  /** The newest 50, the newest first. */
  readonly list: readonly ShownNotification[];
  /** Never below 0; may be more than are listed. */
  readonly unread: number;
}

/** The user's notifications, kept up to date (NO1). */
export interface Inbox {
  readonly view$: State<NotificationsView>;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  readonly markRead: (id: NotificationId) => TE.TaskEither<Problem, void>;
  readonly markAllRead: () => TE.TaskEither<Problem, void>;
  /** Shown as removed for 5 s, in which it can be restored; then deleted. */
  readonly remove: (id: NotificationId) => void;
  readonly restore: (id: NotificationId) => void;
  /** Takes a notification from elsewhere than the socket, whatever it is; what is none is passed over. */
  readonly receive: (something: unknown) => void;
  readonly start: () => Subscription;
}

export interface InboxNeeds {
  readonly clock: Clock;
  /** Announces another user, or nobody. */
  readonly user$: Observable<User | null>;
  /** Over HTTP, which works without a connection. */
  readonly remote: NotificationGateway;
  /** Over the connection, while there is one. */
  readonly line: NotificationGateway;
  readonly news$: Observable<NotificationNews>;
  /** True when there is a connection again, and something may have been missed; false when it is gone. */
  readonly isLive$: Observable<boolean>;
  readonly toast: ShowToast;
}

/** News that must be asked about are asked about together. */
const changesWindowMs = 250;

export const makeInbox = (needs: InboxNeeds): Inbox => {
  const { clock, remote, line, toast } = needs;
  const { scheduler } = clock;
  const shelf = makeShelf();
  const gateway = either(line, remote);
  const missed = either(remote, line);
  const reading = makeNotificationReading({ shelf, toast });
  const read = makeMarkRead({ shelf, gateway, toast });
  const removal = makeRemoval({ shelf, gateway, toast, scheduler });
  const refresh = (): TE.TaskEither<Problem, void> => reading.list(gateway);

  const followed$ = defer(() => {
    const asked$ = needs.news$.pipe(filter(reading.hear), auditTime(changesWindowMs, scheduler));
    const back$ = needs.isLive$.pipe(
      tap((isLive) => {
        if (!isLive) reading.cutOff();
      }),
      filter((isLive) => isLive),
    );
    return merge(
      defer(reading.list(remote)),
      merge(back$, asked$).pipe(mergeMap(() => defer(reading.catchUp(missed)))),
    ).pipe(ignoreElements());
  });
  let isOwned = false;
  const changeOwner = (user: User | null): void => {
    isOwned = user !== null;
    removal.clear();
    shelf.clear();
  };
  return {
    view$: combineState([shelf.held$, shelf.status$, removal.restorable$], (held, status, restorable) => ({
      ...status,
      list: shownOf(held, restorable),
      unread: unreadOf(held),
    })),
    refresh,
    markRead: (notificationId) => read({ notificationId }),
    markAllRead: () => read({ all: true }),
    remove: removal.remove,
    restore: removal.restore,
    receive: (something) => {
      const decoded = Notification.decode(something);
      if (isOwned && E.isRight(decoded)) reading.hear({ kind: "arrived", notification: decoded.right });
    },
    start: () => {
      const running = needs.user$
        .pipe(
          switchMap((user) => {
            changeOwner(user);
            return user === null ? EMPTY : followed$;
          }),
        )
        .subscribe();
      running.add(() => changeOwner(null));
      return running;
    },
  };
};

import { leftOutOf } from "../api/leftOut.ts";
import {
  type Notification,
  type NotificationId,
  type NotificationPage,
  notificationHistory,
} from "./notification.ts";
import type { ReadTarget } from "./notificationEndpoints.ts";

/** The source of a single notification: the socket, or an event of the page itself. */
export type NotificationSource = "socket" | "page";

/** The notifications of the server and the local changes that the server may not have confirmed yet. */
export interface NotificationList {
  /** The notifications as the server has them, the newest first. */
  readonly items: readonly Notification[];
  /** The number of listed notifications that could not be read. */
  readonly leftOut: number;
  readonly unread: number;
  /** The highest id that was ever received; 0 for none. */
  readonly highestId: number;
  /** All notifications up to this id are known; a notification pushed after a gap does not raise it. */
  readonly knownUpTo: number;
  /** True while the server pushes every new notification. */
  readonly isLive: boolean;
  /** The notifications that arrived one by one and that no list of the server has contained so far, with their source. */
  readonly unlisted: ReadonlyMap<NotificationId, NotificationSource>;
  /** The notifications that the user has read on this page. */
  readonly locallyRead: ReadonlySet<NotificationId>;
  /** The user has read all notifications up to this id, and the server has not confirmed it; 0 for none. */
  readonly locallyReadUpTo: number;
  /** The notifications that the user has deleted on this page; some may still be restored. */
  readonly locallyRemoved: ReadonlySet<NotificationId>;
}

export const emptyNotificationList: NotificationList = {
  items: [],
  leftOut: 0,
  unread: 0,
  highestId: 0,
  knownUpTo: 0,
  isLive: false,
  unlisted: new Map(),
  locallyRead: new Set(),
  locallyReadUpTo: 0,
  locallyRemoved: new Set(),
};

const numericId = ({ id }: Notification): number => Number(id) || 0;

/** True if the id does not tell which notification is later: those of other servers need not be numbers. */
const isUnnumbered = (notification: Notification): boolean => numericId(notification) === 0;

const sorted = (items: readonly Notification[]): readonly Notification[] =>
  items
    .toSorted((a, b) => numericId(b) - numericId(a) || (b.timestamp ?? 0) - (a.timestamp ?? 0))
    .slice(0, notificationHistory);

/** Checks whether the user has read a notification on this page, whatever the server knows. */
export const isReadLocally = (
  { locallyRead, locallyReadUpTo }: NotificationList,
  notification: Notification,
): boolean =>
  locallyRead.has(notification.id) || (locallyReadUpTo > 0 && numericId(notification) <= locallyReadUpTo);

const plus = <A>(set: ReadonlySet<A>, value: A): ReadonlySet<A> => new Set([...set, value]);

const countUnread = (items: readonly Notification[]): number =>
  items.filter(({ read }) => read !== true).length;

const highestIdOf = (list: NotificationList, items: readonly Notification[]): number =>
  Math.max(list.highestId, ...items.map(numericId));

/** Adds a single notification; a known or deleted one changes nothing. */
export const addPushed = (
  list: NotificationList,
  notification: Notification,
  source: NotificationSource,
): NotificationList =>
  list.items.some(({ id }) => id === notification.id) || list.locallyRemoved.has(notification.id)
    ? list
    : {
        ...list,
        items: sorted([notification, ...list.items]),
        unread: list.unread + (notification.read === true ? 0 : 1),
        highestId: highestIdOf(list, [notification]),
        unlisted: new Map([...list.unlisted, [notification.id, source]]),
        knownUpTo: list.isLive ? highestIdOf(list, [notification]) : list.knownUpTo,
      };

/** Marks the list as complete: the server pushes every new notification from now on. */
export const markLive = (list: NotificationList): NotificationList => ({
  ...list,
  isLive: true,
  knownUpTo: list.highestId,
});

/** Marks the list as possibly incomplete: notifications must be fetched, and pushed ones may be deleted by now. */
export const markNotLive = (list: NotificationList): NotificationList => ({
  ...list,
  isLive: false,
  unlisted: new Map([...list.unlisted].filter(([, source]) => source === "page")),
});

const notInPage = (list: NotificationList, page: NotificationPage): readonly Notification[] =>
  list.items.filter(({ id }) => !page.notifications.some((one) => one.id === id));

const mergePage = (
  list: NotificationList,
  page: NotificationPage,
  others: readonly Notification[],
  uncounted: readonly Notification[],
): NotificationList => ({
  ...list,
  items: sorted([...others, ...page.notifications]),
  unread: page.unread + countUnread(uncounted),
  unlisted: new Map([...list.unlisted].filter(([id]) => !page.notifications.some((one) => one.id === id))),
  highestId: highestIdOf(list, page.notifications),
  knownUpTo: Math.max(list.knownUpTo, ...page.notifications.map(numericId)),
});

/** Adds a page of newer notifications. `highestIdAtRequest`: the highest id when the request was sent. */
export const addNewer = (
  list: NotificationList,
  page: NotificationPage,
  highestIdAtRequest: number,
): NotificationList => {
  const others = notInPage(list, page);
  const uncounted = others.filter((one) => numericId(one) > highestIdAtRequest);
  const leftOut = list.leftOut + leftOutOf(page.notifications).length;
  return { ...mergePage(list, page, others, uncounted), leftOut };
};

/**
 * Replaces the list with a page and keeps what arrived after the request, and what arrived one by one and was never
 * listed, unless it is older than a full page. The server's count does not include what is kept.
 */
export const replaceAll = (
  list: NotificationList,
  page: NotificationPage,
  highestIdAtRequest: number,
): NotificationList => {
  const isFull = page.notifications.length >= notificationHistory;
  const oldest = isFull ? Math.min(...page.notifications.map(numericId)) : -1;
  const kept = notInPage(list, page).filter(
    (one) => numericId(one) > highestIdAtRequest || (list.unlisted.has(one.id) && numericId(one) > oldest),
  );
  return { ...mergePage(list, page, kept, kept), leftOut: leftOutOf(page.notifications).length };
};

/** Checks whether the unread count does not match the list: a change elsewhere was missed. */
export const isInconsistent = ({ items, unread }: NotificationList): boolean => {
  const counted = countUnread(items);
  return counted > unread || (items.length < notificationHistory && counted < unread);
};

/** Applies that the server has marked notifications as read, by this or another page. */
export const applyServerRead = (
  list: NotificationList,
  target: ReadTarget,
  unread?: number,
): NotificationList => {
  const isTarget = (notification: Notification): boolean =>
    notification.read !== true && ("all" in target || notification.id === target.notificationId);
  const newlyRead = list.items.filter(isTarget).length;
  return {
    ...list,
    items: list.items.map((one) => (isTarget(one) ? { ...one, read: true } : one)),
    unread: Math.max(0, unread ?? ("all" in target ? 0 : list.unread - newlyRead)),
    locallyReadUpTo: "all" in target ? 0 : list.locallyReadUpTo,
  };
};

/** Applies that the server has confirmed a local read. */
export const confirmLocalRead = (list: NotificationList, target: ReadTarget): NotificationList => {
  if ("notificationId" in target) return applyServerRead(list, target);
  const items = list.items.map((one) => (isReadLocally(list, one) ? { ...one, read: true } : one));
  return { ...list, items, unread: countUnread(items), locallyReadUpTo: 0 };
};

/** Applies that the server has deleted a notification. */
export const applyServerRemoval = (list: NotificationList, id: NotificationId): NotificationList => {
  const removed = list.items.find((one) => one.id === id);
  return removed === undefined
    ? list
    : {
        ...list,
        items: list.items.filter((one) => one !== removed),
        unread: Math.max(0, list.unread - (removed.read === true ? 0 : 1)),
        locallyRemoved: plus(list.locallyRemoved, id),
      };
};

/** Marks one notification, or all up to an id, as read before the server confirms it. */
export const markReadLocally = (
  list: NotificationList,
  target: ReadTarget,
  upTo: number,
): NotificationList =>
  "all" in target
    ? {
        ...list,
        locallyReadUpTo: Math.max(upTo, list.locallyReadUpTo),
        locallyRead: new Set([...list.locallyRead, ...list.items.filter(isUnnumbered).map(({ id }) => id)]),
      }
    : { ...list, locallyRead: plus(list.locallyRead, target.notificationId) };

/** Marks a notification as deleted before the server confirms it. */
export const removeLocally = (list: NotificationList, id: NotificationId): NotificationList => ({
  ...list,
  locallyRemoved: plus(list.locallyRemoved, id),
});

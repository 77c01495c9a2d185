import {
  type Notification,
  type NotificationId,
  type NotificationPage,
  notificationHistory,
} from "./notification.ts";
import type { WhatIsRead } from "./notificationEndpoints.ts";

/**
 * The notifications this page holds: what the server has said, and what the user has done since that the server may
 * not have heard yet.
 */
export interface HeldNotifications {
  /** As the server has them, the newest first. */
  readonly known: readonly Notification[];
  /** How many are unread on the server. */
  readonly unread: number;
  /** The highest id ever seen; 0 for none. */
  readonly highest: number;
  /** Everything up to this id has been seen; what arrived by itself after a gap does not count. */
  readonly seen: number;
  /** Whether everything that is written arrives by itself. */
  readonly isInStep: boolean;
  /** Read here. */
  readonly read: ReadonlySet<NotificationId>;
  /** All up to this id have been read here, and the server is about to hear of it; 0 for none. */
  readonly readUpTo: number;
  /** Deleted here: for good, or still to be taken back. */
  readonly removed: ReadonlySet<NotificationId>;
}

export const noNotifications: HeldNotifications = {
  known: [],
  unread: 0,
  highest: 0,
  seen: 0,
  isInStep: false,
  read: new Set(),
  readUpTo: 0,
  removed: new Set(),
};

const numberOf = ({ id }: Notification): number => Number(id) || 0;

const sorted = (known: readonly Notification[]): readonly Notification[] =>
  known
    .toSorted((a, b) => numberOf(b) - numberOf(a) || b.timestamp - a.timestamp)
    .slice(0, notificationHistory);

/** Whether the user has read it here, whatever the server knows. */
export const isReadHere = ({ read, readUpTo }: HeldNotifications, notification: Notification): boolean =>
  read.has(notification.id) || numberOf(notification) <= readUpTo;

const plus = <A>(set: ReadonlySet<A>, value: A): ReadonlySet<A> => new Set([...set, value]);
const minus = <A>(set: ReadonlySet<A>, value: A): ReadonlySet<A> =>
  new Set([...set].filter((other) => other !== value));

const countUnread = (known: readonly Notification[]): number =>
  known.filter(({ read }) => read !== true).length;

const highestOf = (held: HeldNotifications, known: readonly Notification[]): number =>
  Math.max(held.highest, ...known.map(numberOf));

/** One that has just been written; the same again changes nothing. */
export const arrived = (held: HeldNotifications, notification: Notification): HeldNotifications =>
  held.known.some(({ id }) => id === notification.id) || held.removed.has(notification.id)
    ? held
    : {
        ...held,
        known: sorted([notification, ...held.known]),
        unread: held.unread + (notification.read === true ? 0 : 1),
        highest: highestOf(held, [notification]),
        seen: held.isInStep ? highestOf(held, [notification]) : held.seen,
      };

/** Everything is known, and what is written from now on arrives by itself. */
export const inStep = (held: HeldNotifications): HeldNotifications => ({
  ...held,
  isInStep: true,
  seen: held.highest,
});

/** What is written from now on has to be asked for. */
export const outOfStep = (held: HeldNotifications): HeldNotifications => ({ ...held, isInStep: false });

const unlisted = (held: HeldNotifications, page: NotificationPage): readonly Notification[] =>
  held.known.filter(({ id }) => !page.notifications.some((one) => one.id === id));

const withPage = (
  held: HeldNotifications,
  page: NotificationPage,
  kept: readonly Notification[],
  askedAt: number,
): HeldNotifications => ({
  ...held,
  known: sorted([...kept, ...page.notifications]),
  // What has arrived since the server was asked is not in its count.
  unread: page.unread + countUnread(unlisted(held, page).filter((one) => numberOf(one) > askedAt)),
  highest: highestOf(held, page.notifications),
  seen: Math.max(held.seen, ...page.notifications.map(numberOf)),
});

/** What came after `askedAt`, the highest id at the time of asking; what was known before stays. */
export const caughtUp = (
  held: HeldNotifications,
  page: NotificationPage,
  askedAt: number,
): HeldNotifications => withPage(held, page, unlisted(held, page), askedAt);

/** The whole list; only what has arrived since it was asked for stays besides. */
export const listed = (held: HeldNotifications, page: NotificationPage, askedAt: number): HeldNotifications =>
  withPage(
    held,
    page,
    unlisted(held, page).filter((one) => numberOf(one) > askedAt),
    askedAt,
  );

/** Whether the server's count does not fit what is known: something was read or deleted elsewhere, unheard. */
export const isDoubtful = ({ known, unread }: HeldNotifications): boolean => {
  const counted = countUnread(known);
  return counted > unread || (known.length < notificationHistory && counted < unread);
};

/** The server has them as read, from here or from elsewhere. */
export const readThere = (held: HeldNotifications, what: WhatIsRead, unread?: number): HeldNotifications => {
  const isMeant = (notification: Notification): boolean =>
    notification.read !== true && ("all" in what || notification.id === what.notificationId);
  const meant = held.known.filter(isMeant).length;
  return {
    ...held,
    known: held.known.map((one) => (isMeant(one) ? { ...one, read: true } : one)),
    unread: Math.max(0, unread ?? ("all" in what ? 0 : held.unread - meant)),
    readUpTo: "all" in what ? 0 : held.readUpTo,
  };
};

/** The server has heard what was read here. */
export const confirmedRead = (held: HeldNotifications, what: WhatIsRead): HeldNotifications => {
  if ("notificationId" in what) return readThere(held, what);
  const known = held.known.map((one) => (isReadHere(held, one) ? { ...one, read: true } : one));
  return { ...held, known, unread: countUnread(known), readUpTo: 0 };
};

/** The server has it no longer. */
export const removedThere = (held: HeldNotifications, id: NotificationId): HeldNotifications => {
  const gone = held.known.find((one) => one.id === id);
  return gone === undefined
    ? held
    : {
        ...held,
        known: held.known.filter((one) => one !== gone),
        unread: Math.max(0, held.unread - (gone.read === true ? 0 : 1)),
        removed: plus(held.removed, id),
      };
};

/** The user has read one or all: shown at once. */
export const readHere = (held: HeldNotifications, what: WhatIsRead): HeldNotifications =>
  "all" in what
    ? { ...held, readUpTo: Math.max(held.highest, held.readUpTo) }
    : { ...held, read: plus(held.read, what.notificationId) };

/** It could not be told to the server. */
export const unreadAgain = (held: HeldNotifications, what: WhatIsRead): HeldNotifications =>
  "all" in what ? { ...held, readUpTo: 0 } : { ...held, read: minus(held.read, what.notificationId) };

export const removedHere = (held: HeldNotifications, id: NotificationId): HeldNotifications => ({
  ...held,
  removed: plus(held.removed, id),
});

/** Taken back, by the user or because the server could not be told. */
export const restored = (held: HeldNotifications, id: NotificationId): HeldNotifications => ({
  ...held,
  removed: minus(held.removed, id),
});

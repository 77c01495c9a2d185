import type { Notification, NotificationPage } from "../../core/notifications/notification.ts";
import type { Answer, FakeHttp, Seen } from "./fakeHttp.ts";
import { startsAt } from "./virtualClock.ts";

/** The notifications of the product's user, as the server keeps them. */
export interface ProductNotifications {
  readonly all: () => readonly Notification[];
  readonly set: (notifications: readonly Notification[]) => void;
  /** Writes one more, the newest. */
  readonly add: (more?: Partial<Notification>) => Notification;
  readonly unread: () => number;
  /** What GET /notifications answers. */
  readonly page: (limit: number, after?: string) => NotificationPage;
  readonly markRead: (what: { readonly notificationId?: string; readonly all?: true }) => void;
  readonly remove: (id: string) => boolean;
}

export const createNotification = (id: number, more: Partial<Notification> = {}): Notification => ({
  id: String(id),
  message: `Notification ${id}`,
  type: "info",
  priority: "normal",
  timestamp: startsAt + id,
  read: false,
  ...more,
});

type Authorise = (answer: (request: Seen) => Answer) => (request: Seen) => Answer;

export const serveNotifications = (server: FakeHttp, authorised: Authorise): ProductNotifications => {
  let kept: readonly Notification[] = [];
  let highest = 0;
  const unread = (): number => kept.filter(({ read }) => !read).length;
  const page = (limit: number, after = "0"): NotificationPage => ({
    notifications: kept
      .filter(({ id }) => Number(id) > Number(after))
      .toSorted((a, b) => Number(b.id) - Number(a.id))
      .slice(0, limit),
    unread: unread(),
  });
  const markRead: ProductNotifications["markRead"] = ({ notificationId, all }) => {
    kept = kept.map((one) => (all || one.id === notificationId ? { ...one, read: true } : one));
  };
  const remove = (id: string): boolean => {
    const before = kept.length;
    kept = kept.filter((one) => one.id !== id);
    return kept.length < before;
  };
  server.on(
    "GET",
    "/notifications",
    authorised(({ url }) => {
      const query = new URL(url, "http://server").searchParams;
      return { json: page(Number(query.get("limit")), query.get("after") ?? undefined) };
    }),
  );
  server.on(
    "PUT",
    "/notifications/read",
    authorised(({ body }) => {
      markRead(body as { notificationId?: string; all?: true });
      return { json: {} };
    }),
  );
  server.on(
    "DELETE",
    "/notifications/:id",
    authorised(({ params }) =>
      remove(params["id"] ?? "")
        ? { json: {} }
        : { status: 404, json: { message: "There is no such notification" } },
    ),
  );
  return {
    all: () => kept,
    set: (notifications) => {
      kept = notifications;
      highest = Math.max(highest, ...notifications.map(({ id }) => Number(id)));
    },
    add: (more) => {
      highest += 1;
      const made = createNotification(highest, more);
      kept = [...kept, made];
      return made;
    },
    unread,
    page,
    markRead,
    remove,
  };
};

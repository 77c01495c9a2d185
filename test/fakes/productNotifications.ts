import type { Notification, NotificationPage } from "../../core/notifications/notification.ts";
import type { Answer, FakeHttp, ReceivedRequest } from "./fakeHttp.ts";
import { startsAt } from "./virtualClock.ts";

/** The notifications of the fake server's user. */
export interface ProductNotifications {
  readonly all: () => readonly Notification[];
  readonly set: (notifications: readonly Notification[]) => void;
  /** Creates another notification, the newest. */
  readonly add: (more?: Partial<Notification>) => Notification;
  readonly unread: () => number;
  /** The answer to GET /notifications. */
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

type Authorise = (answer: (request: ReceivedRequest) => Answer) => (request: ReceivedRequest) => Answer;

export const serveNotifications = (server: FakeHttp, authorised: Authorise): ProductNotifications => {
  let stored: readonly Notification[] = [];
  let highest = 0;
  const unread = (): number => stored.filter(({ read }) => !read).length;
  const page = (limit: number, after = "0"): NotificationPage => ({
    notifications: stored
      .filter(({ id }) => Number(id) > Number(after))
      .toSorted((a, b) => Number(b.id) - Number(a.id))
      .slice(0, limit),
    unread: unread(),
  });
  const markRead: ProductNotifications["markRead"] = ({ notificationId, all }) => {
    stored = stored.map((one) => (all || one.id === notificationId ? { ...one, read: true } : one));
  };
  const remove = (id: string): boolean => {
    const before = stored.length;
    stored = stored.filter((one) => one.id !== id);
    return stored.length < before;
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
    all: () => stored,
    set: (notifications) => {
      stored = notifications;
      highest = Math.max(highest, ...notifications.map(({ id }) => Number(id)));
    },
    add: (more) => {
      highest += 1;
      const created = createNotification(highest, more);
      stored = [...stored, created];
      return created;
    },
    unread,
    page,
    markRead,
    remove,
  };
};

import * as t from "io-ts";
import { endpoint } from "../../../../core/api/endpoint.ts";
import type { Notification } from "../../../../core/notifications/notification.ts";
import { byTable } from "../../../platform/answers/byTable.ts";
import { dateOf, Integer, NullableText } from "./simpleLoginValues.ts";

/** A notification, as SimpleLogin's clients read it. */
const Notice = t.type({
  id: Integer,
  title: NullableText,
  message: t.string,
  read: t.boolean,
  created_at: t.string,
});
type Notice = t.TypeOf<typeof Notice>;

/** Returns a notification as SimpleLogin has them. */
export const toNotice = byTable<Notification, Notice>({
  id: ({ id }) => Number(id),
  title: () => null,
  message: ({ message }) => message,
  read: ({ read }) => read ?? false,
  created_at: ({ timestamp }) => dateOf(timestamp ?? 0),
});

/** Lists what the account was told, newest first. */
export const getNotifications = endpoint("GET", "/api/notifications", {
  tokens: "account:read",
  params: t.partial({ page: t.string }),
  answer: t.type({ more: t.boolean, notifications: t.readonlyArray(Notice) }),
});

export const postNotificationRead = endpoint("POST", "/api/notifications/:id/read", {
  tokens: "account:read",
  params: t.type({ id: t.string }),
  answer: t.type({ done: t.literal(true) }),
});

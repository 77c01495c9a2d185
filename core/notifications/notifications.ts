import * as TE from "fp-ts/lib/TaskEither.js";
import { type State, stateWithin } from "../kernel/state.ts";
import type { Inbox, NotificationsView } from "./inbox.ts";

/** The user's notifications (NO1). */
export type Notifications = Omit<Inbox, "start">;

const loadingView: NotificationsView = { status: "loading", message: "", list: [], unread: 0 };
const done = TE.right(undefined);

/** Creates the notifications; until the inbox is loaded the view is loading and actions do nothing. */
export const createNotifications = (inbox$: State<Inbox | null>): Notifications => ({
  view$: stateWithin(inbox$, (inbox) => inbox.view$, loadingView),
  refresh: () => inbox$.value?.refresh() ?? done,
  markRead: (id) => inbox$.value?.markRead(id) ?? done,
  markAllRead: () => inbox$.value?.markAllRead() ?? done,
  remove: (id) => inbox$.value?.remove(id),
  restore: (id) => inbox$.value?.restore(id),
  receive: (something) => inbox$.value?.receive(something),
});

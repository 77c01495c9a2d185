import * as TE from "fp-ts/lib/TaskEither.js";
import { type State, stateWithin } from "../kernel/state.ts";
import type { Inbox, NotificationsView } from "./inbox.ts";

/** The user's notifications (NO1). */
export type Notifications = Omit<Inbox, "start">;

const notYet: NotificationsView = { status: "loading", sentence: "", list: [], unread: 0 };
const nothing = TE.right(undefined);

/** The notifications of whoever is signed in, as soon as their code is here. */
export const makeNotifications = (inbox$: State<Inbox | null>): Notifications => ({
  view$: stateWithin(inbox$, (inbox) => inbox.view$, notYet),
  refresh: () => inbox$.value?.refresh() ?? nothing,
  markRead: (id) => inbox$.value?.markRead(id) ?? nothing,
  markAllRead: () => inbox$.value?.markAllRead() ?? nothing,
  remove: (id) => inbox$.value?.remove(id),
  restore: (id) => inbox$.value?.restore(id),
  receive: (something) => inbox$.value?.receive(something),
});

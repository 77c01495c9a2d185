import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../kernel/failure.ts";
import type { NotificationId, NotificationPage } from "./notification.ts";
import type { WhatIsRead } from "./notificationEndpoints.ts";

/** Where one user's notifications live. */
export interface NotificationGateway {
  /** The newest 50 after the given one, or of all. */
  readonly list: (after?: NotificationId) => TE.TaskEither<Failure, NotificationPage>;
  readonly markRead: (what: WhatIsRead) => TE.TaskEither<Failure, void>;
  /** What is gone already is no error. */
  readonly remove: (id: NotificationId) => TE.TaskEither<Failure, void>;
}

/** Asks the first, and when that fails the second. */
export const either = (first: NotificationGateway, second: NotificationGateway): NotificationGateway => ({
  list: (after) =>
    pipe(
      first.list(after),
      TE.orElse(() => second.list(after)),
    ),
  markRead: (what) =>
    pipe(
      first.markRead(what),
      TE.orElse(() => second.markRead(what)),
    ),
  remove: (id) =>
    pipe(
      first.remove(id),
      TE.orElse(() => second.remove(id)),
    ),
});

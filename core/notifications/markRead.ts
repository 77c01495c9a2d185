import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { type Problem, problemOf } from "../sentences/problem.ts";
import { sentenceFor } from "../sentences/sentenceFor.ts";
import type { ShowToast } from "../toasts/toast.ts";
import { confirmedRead, readHere, unreadAgain } from "./heldNotifications.ts";
import type { WhatIsRead } from "./notificationEndpoints.ts";
import type { NotificationGateway } from "./notificationGateway.ts";
import type { Shelf } from "./shelf.ts";

interface Needs {
  readonly shelf: Shelf;
  readonly gateway: NotificationGateway;
  readonly toast: ShowToast;
}

/** Marks one or all as read: shown at once, taken back when the server cannot be told. */
export const makeMarkRead =
  ({ shelf, gateway, toast }: Needs) =>
  (what: WhatIsRead): TE.TaskEither<Problem, void> =>
  () => {
    const isSame = shelf.sameUser();
    const told = (): void => {
      if (isSame()) shelf.change((held) => confirmedRead(held, what));
    };
    shelf.change((held) => readHere(held, what));
    return pipe(
      gateway.markRead(what),
      TE.map(told),
      TE.mapLeft((failure) => {
        if (isSame()) {
          shelf.change((held) => unreadAgain(held, what));
          toast("error", sentenceFor("readNotification", failure, "toast"));
        }
        return problemOf("readNotification")(failure);
      }),
    )();
  };

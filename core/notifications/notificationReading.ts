import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { type Problem, problemOf } from "../sentences/problem.ts";
import { sentenceFor } from "../sentences/sentenceFor.ts";
import type { ShowToast, ToastKind } from "../toasts/toast.ts";
import {
  arrived,
  caughtUp,
  type HeldNotifications,
  inStep,
  isDoubtful,
  listed,
  outOfStep,
  readThere,
  removedThere,
} from "./heldNotifications.ts";
import { type Notification, type NotificationPage, notificationHistory } from "./notification.ts";
import type { NotificationGateway } from "./notificationGateway.ts";
import type { NotificationNews } from "./notificationNews.ts";
import type { Shelf } from "./shelf.ts";

interface Needs {
  readonly shelf: Shelf;
  readonly toast: ShowToast;
}

/** Brings onto the shelf what the server has. */
export interface NotificationReading {
  /** The whole list. */
  readonly list: (gateway: NotificationGateway) => TE.TaskEither<Problem, void>;
  /**
   * What came after the highest id seen so far; the whole list where that would not tell all. From then on whatever
   * is written arrives by itself, until `cutOff`.
   */
  readonly catchUp: (gateway: NotificationGateway) => TE.TaskEither<Problem, void>;
  /** What is written from now on does not arrive, and what arrives next is not all. */
  readonly cutOff: () => void;
  /** True when the news cannot be understood without asking. */
  readonly hear: (news: NotificationNews) => boolean;
}

const kinds: readonly string[] = ["success", "warning", "error"] satisfies readonly ToastKind[];
const kindOf = ({ type = "info" }: Notification): ToastKind =>
  kinds.includes(type) ? (type as ToastKind) : "info";

const isLoud = ({ priority, read }: Notification): boolean =>
  read !== true && (priority === "high" || priority === "urgent");

const knows = ({ known, removed }: HeldNotifications, id: string): boolean =>
  removed.has(id) || known.some((one) => one.id === id);

export const makeNotificationReading = ({ shelf, toast }: Needs): NotificationReading => {
  /** Only high and urgent ones interrupt, the older first (NO1). */
  const announce = (notifications: readonly Notification[]): void => {
    for (const one of notifications.toReversed()) if (isLoud(one)) toast(kindOf(one), one.message);
  };
  /** What was known before anybody looked is history and interrupts nobody. */
  const take = (page: NotificationPage, put: (held: HeldNotifications) => HeldNotifications): void => {
    const before = shelf.held$.value;
    const isFirst = shelf.status$.value.status !== "ready";
    const isNew = ({ id }: Notification): boolean => Number(id) > before.seen && !knows(before, id);
    shelf.change(put);
    shelf.setStatus("ready");
    if (!isFirst) announce(page.notifications.filter(isNew));
  };
  const ask = (
    gateway: NotificationGateway,
    after: number | undefined,
    put: (page: NotificationPage) => (held: HeldNotifications) => HeldNotifications,
  ): TE.TaskEither<Problem, NotificationPage | null> => {
    const isSame = shelf.sameUser();
    return pipe(
      gateway.list(after === undefined ? undefined : String(after)),
      TE.map((page) => {
        if (!isSame()) return null;
        take(page, put(page));
        return page;
      }),
      TE.mapLeft((failure) => {
        if (isSame() && shelf.status$.value.status !== "ready")
          shelf.setStatus("failed", sentenceFor("listNotifications", failure));
        return problemOf("listNotifications")(failure);
      }),
    );
  };
  const list =
    (gateway: NotificationGateway): TE.TaskEither<Problem, void> =>
    () => {
      const { highest } = shelf.held$.value;
      return pipe(
        ask(gateway, undefined, (page) => (held) => listed(held, page, highest)),
        TE.map(() => undefined),
      )();
    };
  const latest = (gateway: NotificationGateway): TE.TaskEither<Problem, void> => {
    const { seen } = shelf.held$.value;
    if (seen === 0 || shelf.status$.value.status !== "ready") return list(gateway);
    const isAll = (page: NotificationPage | null): boolean =>
      page === null || (page.notifications.length < notificationHistory && !isDoubtful(shelf.held$.value));
    return pipe(
      ask(gateway, seen, (page) => (held) => caughtUp(held, page, seen)),
      TE.chain((page) => (isAll(page) ? TE.right(undefined) : list(gateway))),
    );
  };
  let connection = 0;
  const catchUp =
    (gateway: NotificationGateway): TE.TaskEither<Problem, void> =>
    () => {
      const over = connection;
      const caught = (): void => {
        if (over === connection) shelf.change(inStep);
      };
      return pipe(latest(gateway), TE.map(caught))();
    };
  const cutOff = (): void => {
    connection += 1;
    shelf.change(outOfStep);
  };
  const hear = (news: NotificationNews): boolean => {
    switch (news.kind) {
      case "arrived":
        if (!knows(shelf.held$.value, news.notification.id)) {
          shelf.change((held) => arrived(held, news.notification));
          announce([news.notification]);
        }
        return false;
      case "read":
        shelf.change((held) => readThere(held, news.what, news.unread));
        return false;
      case "removed":
        shelf.change((held) => removedThere(held, news.id));
        return false;
      case "changed":
        return news.id === undefined || !knows(shelf.held$.value, news.id);
    }
  };
  return { list, catchUp, cutOff, hear };
};

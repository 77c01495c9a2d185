import { createState, type State } from "../kernel/state.ts";
import { emptyNotificationList, type NotificationList } from "./notificationList.ts";

/** Whether the list was loaded; `message` is the reason of a failure. */
export interface NotificationStatus {
  readonly status: "loading" | "ready" | "failed";
  readonly message: string;
}

/** The store of the signed-in user's notifications. */
export interface NotificationStore {
  readonly list$: State<NotificationList>;
  readonly status$: State<NotificationStatus>;
  readonly change: (change: (list: NotificationList) => NotificationList) => void;
  readonly setStatus: (status: NotificationStatus["status"], sentence?: string) => void;
  /** Clears the store when the user changes. */
  readonly clear: () => void;
  /** Returns a check whether the store still belongs to the same user as now. */
  readonly captureOwner: () => () => boolean;
}

const loading: NotificationStatus = { status: "loading", message: "" };

export const createNotificationStore = (): NotificationStore => {
  const list$ = createState(emptyNotificationList);
  const status$ = createState(loading);
  let owner = 0;
  return {
    list$,
    status$,
    change: list$.update,
    setStatus: (status, message = "") => status$.set({ status, message }),
    clear: () => {
      owner += 1;
      list$.set(emptyNotificationList);
      status$.set(loading);
    },
    captureOwner: () => {
      const capturedOwner = owner;
      return () => owner === capturedOwner;
    },
  };
};

import type { PushButton, PushPayload } from "../../core/push/pushPayload.ts";

/** What a shown notification keeps for its presses. */
interface Kept {
  readonly place: string;
  readonly buttons: readonly Pick<PushButton, "action" | "token">[];
}

/** A tab of the app. */
interface Tab {
  readonly url: string;
  readonly focus: () => Promise<unknown>;
  readonly navigate: (url: string) => Promise<unknown>;
}

/** The service worker, as far as notifications need it. */
export interface NotifyingWorker {
  readonly location: Pick<WorkerLocation, "href">;
  readonly registration: Pick<ServiceWorkerRegistration, "showNotification">;
  readonly navigator: { readonly setAppBadge?: (count: number) => Promise<void> };
  readonly clients: {
    readonly matchAll: (of: { type: "window"; includeUncontrolled: true }) => Promise<readonly Tab[]>;
    readonly openWindow: (url: string) => Promise<unknown>;
  };
}

/** A message of the push service. */
interface PushedData {
  readonly json: () => unknown;
}

/** A notification with buttons; some browsers draw none of them. */
interface ShownOptions extends NotificationOptions {
  readonly actions?: readonly { readonly action: string; readonly title: string }[];
}

type Shown = Pick<PushPayload, "title" | "body" | "tag" | "place" | "buttons">;

const icon = "icon-192.png";
const unreadable: Shown = {
  title: "Something has happened",
  body: "Open the app.",
  tag: "",
  place: "",
  buttons: [],
};

const show = (worker: NotifyingWorker, { title, body, tag, place, buttons }: Shown): Promise<void> => {
  const data: Kept = { place, buttons: buttons.map(({ action, token }) => ({ action, token })) };
  const options: ShownOptions = {
    body,
    tag,
    icon,
    badge: icon,
    data,
    actions: buttons.map((button) => ({ action: button.action, title: button.title })),
  };
  return worker.registration.showNotification(title, options);
};

/** A browser that was sent something has to show something, also where another version has sent it. */
const read = (data: PushedData | null): Shown & Partial<Pick<PushPayload, "held">> => {
  try {
    const payload = data?.json() as Partial<PushPayload> | undefined;
    if (typeof payload?.title !== "string") return unreadable;
    return { ...unreadable, ...payload };
  } catch {
    return unreadable;
  }
};

/** Shows what the server has sent, and the number of held mails on the app's icon. */
export const showPushed = async (worker: NotifyingWorker, data: PushedData | null): Promise<void> => {
  const { held, ...shown } = read(data);
  await show(worker, shown);
  if (held !== undefined) await worker.navigator.setAppBadge?.(held).catch(() => undefined);
};

/** Goes to a place in an open tab, or else in a new one. */
const openPlace = async (worker: NotifyingWorker, place: string): Promise<void> => {
  const url = `./#${place}`;
  const home = new URL(".", worker.location.href).pathname;
  const tabs = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = tabs.find((one) => new URL(one.url).pathname === home);
  try {
    if (!tab) throw new Error("no tab is open");
    await tab.focus();
    if (place !== "") await tab.navigate(url);
  } catch {
    await worker.clients.openWindow(url);
  }
};

/** What the server answers to a button. */
interface PressAnswer {
  readonly text?: string;
  readonly undo?: { readonly title: string; readonly token: string } | null;
  readonly message?: string;
}

const press = async (token: string): Promise<PressAnswer> => {
  try {
    const response = await fetch("push/action", {
      method: "POST",
      credentials: "omit",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ token }),
    });
    return (await response.json()) as PressAnswer;
  } catch {
    return { message: "The server could not be reached. Open the app to try again." };
  }
};

/** Does what was pressed: a button, whose result is shown in its place, or else it opens the app where the notification leads. */
export const openNotification = async (
  worker: NotifyingWorker,
  { action, notification }: { readonly action: string; readonly notification: Notification },
): Promise<void> => {
  const { place = "", buttons = [] } = (notification.data ?? {}) as Partial<Kept>;
  const { title, tag } = notification;
  notification.close();
  const button = buttons.find((one) => action !== "" && one.action === action);
  if (!button) return openPlace(worker, place);
  const { text, undo, message } = await press(button.token);
  await show(worker, {
    title,
    body: text ?? message ?? "This was not possible. Open the app to decide there.",
    tag,
    place,
    buttons: undo ? [{ action: "switch-on", ...undo }] : [],
  });
};

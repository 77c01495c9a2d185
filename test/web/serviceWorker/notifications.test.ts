import { expect } from "chai";
import type { PushPayload } from "../../../core/push/pushPayload.ts";
import {
  type NotifyingWorker,
  openNotification,
  showPushed,
} from "../../../web/serviceWorker/notifications.ts";

const payload: PushPayload = {
  title: "Mail is held",
  body: "Mail to shop@masks.example waits for your decision.",
  tag: "held-7",
  place: "held",
  held: 3,
  buttons: [
    { action: "allow", title: "Allow sender", token: "allow it" },
    { action: "switch-off", title: "Switch mask off", token: "switch it off" },
  ],
};

interface Shown {
  readonly title: string;
  readonly options: NotificationOptions & { readonly actions: readonly object[] };
}

/** A browser as the worker finds it, and what has happened there. */
const createWorker = (tabs: readonly { readonly url: string; readonly isControlled: boolean }[] = []) => {
  const shown: Shown[] = [];
  const happened: string[] = [];
  let badge: number | null = null;
  const worker: NotifyingWorker = {
    location: { href: "https://app.example/bauta/serviceWorker.js" },
    registration: {
      showNotification: async (title: string, options: Shown["options"]) =>
        void shown.push({ title, options }),
    },
    navigator: {
      setAppBadge: async (count: number) => {
        badge = count;
      },
    },
    clients: {
      matchAll: async () =>
        tabs.map(({ url, isControlled }) => ({
          url,
          focus: async () => void happened.push(`focus ${url}`),
          navigate: async (to: string) => {
            if (!isControlled) throw new TypeError("not controlled");
            happened.push(`go to ${to}`);
          },
        })),
      openWindow: async (to: string) => void happened.push(`open ${to}`),
    },
  };
  return { worker, shown, happened, badge: () => badge };
};

const messageOf = (text: string) => ({ json: () => JSON.parse(text) as unknown });

describe("A push notification in the service worker", () => {
  let fetchBefore: typeof fetch;
  let posted: { readonly url: string; readonly body: unknown; readonly credentials: unknown }[];

  const answering = (answer: () => Response): void => {
    globalThis.fetch = (async (url: string, { body, credentials }: RequestInit) => {
      posted.push({ url, body: JSON.parse(String(body)), credentials });
      return answer();
    }) as typeof fetch;
  };
  beforeEach(() => {
    fetchBefore = globalThis.fetch;
    posted = [];
  });
  afterEach(() => {
    globalThis.fetch = fetchBefore;
  });

  const press = async (around: ReturnType<typeof createWorker>, action: string): Promise<boolean> => {
    const last = around.shown.at(-1);
    let isClosed = false;
    const notification = {
      title: last?.title ?? "",
      tag: last?.options.tag ?? "",
      data: structuredClone(last?.options.data),
      close: () => {
        isClosed = true;
      },
    } as Notification;
    await openNotification(around.worker, { action, notification });
    return isClosed;
  };

  it("is shown with its buttons, and the app's icon has the number of held mails", async () => {
    const around = createWorker();
    await showPushed(around.worker, messageOf(JSON.stringify(payload)));
    expect(around.badge()).to.equal(3);
    const [{ title, options } = { title: "", options: null }] = around.shown;
    expect(title).to.equal("Mail is held");
    expect(options).to.deep.include({
      body: payload.body,
      tag: "held-7",
      actions: [
        { action: "allow", title: "Allow sender" },
        { action: "switch-off", title: "Switch mask off" },
      ],
    });
  });

  it("is shown in some words also where nothing of it can be read", async () => {
    const around = createWorker();
    await showPushed(around.worker, null);
    await showPushed(around.worker, messageOf("{"));
    await showPushed(around.worker, messageOf(`{"title":7}`));
    expect(around.shown.map(({ title }) => title)).to.deep.equal(Array(3).fill("Something has happened"));
  });

  it("goes to its place in the open tab, and opens one where there is none, or none that can be led", async () => {
    const open = createWorker([
      { url: "https://app.example/bauta/help/replies", isControlled: true },
      { url: "https://app.example/", isControlled: true },
      { url: "https://app.example/bauta/#rules", isControlled: true },
    ]);
    await showPushed(open.worker, messageOf(JSON.stringify(payload)));
    expect(await press(open, "")).to.equal(true);
    expect(open.happened).to.deep.equal(["focus https://app.example/bauta/#rules", "go to ./#held"]);
    for (const tabs of [[], [{ url: "https://app.example/bauta/", isControlled: false }]]) {
      const around = createWorker(tabs);
      await showPushed(around.worker, messageOf(JSON.stringify(payload)));
      await press(around, "");
      expect(around.happened.at(-1)).to.equal("open ./#held");
    }
  });

  it("does what its button says without opening the app, and takes it back by the next button", async () => {
    const around = createWorker();
    await showPushed(around.worker, messageOf(JSON.stringify(payload)));
    answering(() =>
      Response.json({ text: "The mask is switched off.", undo: { title: "Undo", token: "switch it on" } }),
    );
    await press(around, "switch-off");
    expect(around.shown.at(-1)?.options).to.deep.include({
      body: "The mask is switched off.",
      tag: "held-7",
      actions: [{ action: "switch-on", title: "Undo" }],
    });
    answering(() => Response.json({ text: "The mask is switched on again.", undo: null }));
    await press(around, "switch-on");
    expect(around.shown.at(-1)?.options).to.deep.include({
      body: "The mask is switched on again.",
      actions: [],
    });
    expect(posted).to.deep.equal([
      { url: "push/action", body: { token: "switch it off" }, credentials: "omit" },
      { url: "push/action", body: { token: "switch it on" }, credentials: "omit" },
    ]);
    expect(around.happened).to.deep.equal([]);
  });

  it("says why a button did nothing, and still leads on", async () => {
    const around = createWorker();
    for (const [answer, text] of [
      [
        () => Response.json({ message: "This notification is too old." }, { status: 404 }),
        "This notification is too old.",
      ],
      [
        () => {
          throw new TypeError("Failed to fetch");
        },
        "The server could not be reached. Open the app to try again.",
      ],
    ] as const) {
      await showPushed(around.worker, messageOf(JSON.stringify(payload)));
      answering(answer);
      await press(around, "allow");
      expect(around.shown.at(-1)?.options.body).to.equal(text);
      await press(around, "");
      expect(around.happened.at(-1)).to.equal("open ./#held");
    }
  });
});

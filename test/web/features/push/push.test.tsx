import "../../../support/dom.ts";
import { screen, waitFor, within } from "@testing-library/react";
import { expect } from "chai";
import type { PushDevice } from "../../../../core/push/pushEndpoints.ts";
import { createPushDevice, pushKey } from "../../../fakes/productPush.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, type OpenPage, openPage } from "../../support/openPage.tsx";
import { openSection } from "../../support/openTab.ts";

const bytes = (text: string): ArrayBuffer => Uint8Array.from(Buffer.from(text, "base64url")).buffer;

/** The endpoint of this browser before, and the one that it subscribes to. */
const here = "https://push.example/here";
const anew = "https://push.example/new";

/** A browser with push notifications, as far as the page uses it. */
class PushBrowser {
  permission: NotificationPermission = "default";
  answer: NotificationPermission = "granted";
  isReachable = true;
  endpoint: string | null = null;
  key = pushKey;
  badge: number | null = null;
  isInstalled = false;
  /** What the page has kept of its subscription. */
  kept: string | null = null;
  readonly #before = new Map<object, PropertyDescriptorMap>();

  readonly #subscription = () => ({
    endpoint: this.endpoint,
    options: { applicationServerKey: bytes(this.key) },
    getKey: (name: string) => bytes(name === "auth" ? "BTBZMqHH6r4Tts7J_aSIgg" : pushKey),
    unsubscribe: async () => {
      this.endpoint = null;
      return true;
    },
  });

  install(): void {
    this.isInstalled = true;
    const registration = {
      pushManager: {
        getSubscription: async () => (this.endpoint === null ? null : this.#subscription()),
        subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
          if (!this.isReachable) throw new DOMException("no push service", "AbortError");
          this.endpoint = anew;
          this.key = applicationServerKey;
          return this.#subscription();
        },
      },
    };
    const browser = this;
    this.#set(window, {
      caches: {
        open: async () => ({
          match: async () => (this.kept === null ? undefined : new Response(this.kept)),
          put: async (_: string, response: Response) => {
            this.kept = await response.text();
          },
        }),
        delete: async () => {
          this.kept = null;
        },
      },
      PushManager: class {},
      Notification: {
        get permission() {
          return browser.permission;
        },
        requestPermission: async () => {
          this.permission = this.answer;
          return this.answer;
        },
      },
    });
    this.#set(window.navigator, {
      serviceWorker: { getRegistration: async () => registration },
      setAppBadge: async (count: number) => {
        this.badge = count;
      },
      clearAppBadge: async () => {
        this.badge = null;
      },
    });
  }

  #set(target: object, values: Readonly<Record<string, unknown>>): void {
    const before: PropertyDescriptorMap = {};
    for (const [name, value] of Object.entries(values)) {
      before[name] = Object.getOwnPropertyDescriptor(target, name) ?? {
        configurable: true,
        value: undefined,
      };
      Object.defineProperty(target, name, { configurable: true, value });
    }
    this.#before.set(target, before);
  }

  remove(): void {
    for (const [target, before] of this.#before)
      for (const [name, descriptor] of Object.entries(before)) {
        if (descriptor.value === undefined && !descriptor.get) Reflect.deleteProperty(target, name);
        else Object.defineProperty(target, name, descriptor);
      }
  }
}

const markOf = (endpoint: string): Promise<string> =>
  crypto.subtle
    .digest("SHA-256", new TextEncoder().encode(endpoint))
    .then((hash) => Buffer.from(hash).toString("base64url"));

describe("The devices with notifications in the settings", () => {
  useDom();
  let browser: PushBrowser;

  beforeEach(() => {
    browser = new PushBrowser();
  });
  afterEach(() => {
    closePages();
    browser.remove();
  });

  /** Opens the section once the page has looked at this browser, where it can. */
  const open = async (
    devices: readonly PushDevice[] = [],
    before: () => void = () => {},
  ): Promise<OpenPage> => {
    const page = await openPage();
    if (browser.isInstalled) await waitFor(() => expect(browser.badge).to.equal(0));
    await page.act(() => {});
    page.product.push.set(devices);
    page.product.push.marks.set(anew, await markOf(anew));
    before();
    await openSection(page, "Notifications");
    await screen.findByText(/through the push service/);
    await page.act(() => {});
    return page;
  };
  const openHere = async (): Promise<OpenPage> => {
    browser.install();
    const mark = await markOf(here);
    return open([createPushDevice("here", { mark }), createPushDevice("phone")], () => {
      browser.permission = "granted";
      browser.endpoint = here;
    });
  };
  const row = (n: number): HTMLElement => {
    const found = within(screen.getByRole("list", { name: "Devices" })).getAllByRole("listitem")[n];
    if (!found) throw new Error("There is no such device");
    return found;
  };
  const choose = async (page: OpenPage, action: string): Promise<void> => {
    const [menu] = screen.getAllByRole("button", { name: /Actions for/ });
    await page.user.click(menu as HTMLElement);
    await page.user.click(await screen.findByRole("menuitem", { name: action }));
    await page.act(() => {});
  };
  const lastBody = (page: OpenPage, to: string): unknown => page.server.requestsTo(to).at(-1)?.body;

  it("say why they cannot be on where the browser has no notifications", async () => {
    await open();
    await screen.findByText(/This browser cannot show notifications/);
    expect(screen.queryByRole("button", { name: /Switch on/ })).to.equal(null);
  });

  it("say what to do where the browser blocks them, also right after the user has", async () => {
    browser.install();
    browser.answer = "denied";
    const page = await open();
    await screen.findByText("No devices yet");
    await page.press("Switch on for this device");
    await screen.findByText(/This browser blocks notifications/);
    expect(page.server.requestsTo("POST /account/push")).to.deep.equal([]);
  });

  it("are switched on for this one by one press, for the key of this server", async () => {
    browser.install();
    const page = await open();
    await screen.findByText("No devices yet");
    await page.press("Switch on for this device");
    await screen.findByRole("list", { name: "Devices" });
    expect(lastBody(page, "POST /account/push")).to.deep.equal({
      endpoint: anew,
      p256dh: pushKey,
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
      kinds: ["held", "replies", "security"],
      masks: [],
      quietHours: null,
      showsSender: false,
    });
    expect(browser.key).to.equal(pushKey);
    await within(row(0)).findByText("This device");
    expect(screen.queryByRole("button", { name: /Switch on/ })).to.equal(null);
  });

  it("are switched on anew for this one where the server has got another key", async () => {
    browser.key = Buffer.alloc(65, 4).toString("base64url");
    const page = await openHere();
    await screen.findByText("Switch on for this device");
    await page.press("Switch on for this device");
    await screen.findByText("This device");
    expect(browser).to.include({ key: pushKey, endpoint: anew });
    expect(screen.queryByRole("button", { name: /Switch on/ })).to.equal(null);
  });

  it("say that the browser's push service is away, and go on with the next press", async () => {
    browser.install();
    browser.isReachable = false;
    const page = await open();
    await screen.findByText("No devices yet");
    await page.press("Switch on for this device");
    await screen.findByText(/push service of this browser could not be reached/);
    browser.isReachable = true;
    await page.press("Switch on for this device");
    await screen.findByRole("list", { name: "Devices" });
  });

  it("are listed, this one by its mark, with what each shows", async () => {
    await openHere();
    await within(row(0)).findByText("This device");
    expect(row(0).textContent).to.contain("Held mail, Security").and.to.contain("Nothing was sent yet.");
    expect(row(1).textContent).not.to.contain("This device");
    expect(screen.queryByRole("button", { name: /Switch on/ })).to.equal(null);
  });

  it("are changed: what is shown, chosen masks, quiet hours, and the sender", async () => {
    const page = await openHere();
    await page.user.click(within(row(0)).getByRole("button", { name: /^Change/ }));
    const dialog = await screen.findByRole("dialog");
    await page.user.click(within(dialog).getByRole("checkbox", { name: "Security" }));
    await page.user.click(within(dialog).getByRole("checkbox", { name: "Quiet hours" }));
    await page.user.click(within(dialog).getByRole("checkbox", { name: "Show sender and subject" }));
    await page.press("Save");
    expect(lastBody(page, "PATCH /account/push/here")).to.deep.equal({
      kinds: ["held"],
      masks: [],
      quietHours: {
        startTime: "22:00",
        endTime: "07:00",
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      },
      showsSender: true,
    });
    await within(row(0)).findByText(/Quiet from 22:00 to 07:00 · With sender and subject/);
  });

  it("are sent a test, and are switched off, which ends the browser's subscription", async () => {
    const page = await openHere();
    await within(row(0)).findByText("This device");
    await choose(page, "Send a test");
    expect(page.server.requestsTo("POST /account/push/here/test")).to.have.length(1);
    await choose(page, "Switch off");
    await page.user.click(
      within(await screen.findByRole("alertdialog")).getByRole("button", { name: /^Switch off/ }),
    );
    await page.act(() => {});
    expect(page.product.push.all().map(({ id }) => id)).to.deep.equal(["phone"]);
    expect(browser.endpoint).to.equal(null);
  });

  it("of another account in this browser end when this one logs in", async () => {
    browser.install();
    browser.permission = "granted";
    browser.endpoint = here;
    await openPage();
    await waitFor(() => expect(browser.endpoint).to.equal(null));
  });

  it("go on where the browser has ended its subscription without a word", async () => {
    browser.install();
    browser.permission = "granted";
    browser.kept = JSON.stringify({ endpoint: here, auth: "BTBZMqHH6r4Tts7J_aSIgg", key: pushKey });
    const mark = await markOf(anew);
    const told: unknown[] = [];
    const fetchBefore = globalThis.fetch;
    const opened = Promise.withResolvers<OpenPage>();
    globalThis.fetch = (async (_: string, { body }: RequestInit) => {
      told.push((JSON.parse(String(body)) as { former: unknown }).former);
      (await opened.promise).product.push.set([createPushDevice("here", { mark })]);
      return Response.json({});
    }) as typeof fetch;
    try {
      const page = await openPage();
      opened.resolve(page);
      await waitFor(() => expect(JSON.parse(browser.kept ?? "{}")).to.include({ endpoint: anew }));
      expect(told).to.deep.equal([{ endpoint: here, auth: "BTBZMqHH6r4Tts7J_aSIgg" }]);
      await page.act(() => {});
      expect(browser.endpoint).to.equal(anew);
    } finally {
      globalThis.fetch = fetchBefore;
    }
  });

  it("have the number of held mails on the app's icon", async () => {
    browser.install();
    await open();
    expect(browser.badge).to.equal(0);
  });
});

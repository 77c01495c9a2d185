import { expect } from "chai";
import type { Page } from "playwright-core";
import { type PushedBrowser, type PushService, startPushService } from "../server/support/pushService.ts";
import { until } from "../server/support/until.ts";
import { expectAccessible } from "../support/accessible.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { createMask, maskCard, openSettings } from "./support/visitor.ts";

/** Has the page get the permission, and subscribe at a push service of the test: that of the browser's maker is not there. */
const subscribeAt = async (page: Page, { endpoint, p256dh, auth }: PushedBrowser): Promise<void> => {
  await page.addInitScript(
    ([address, point, secret]) => {
      const bytes = (text: string) =>
        Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0)).buffer;
      let isSubscribed = false;
      let permission = "default";
      Object.defineProperty(Notification, "permission", { get: () => permission });
      Notification.requestPermission = async () => {
        permission = "granted";
        return "granted";
      };
      const subscription = {
        endpoint: address,
        options: { applicationServerKey: null as ArrayBuffer | null },
        getKey: (name: string) => bytes(name === "auth" ? secret : point),
        unsubscribe: async () => {
          isSubscribed = false;
          return true;
        },
      };
      Object.assign(PushManager.prototype, {
        getSubscription: async () => (isSubscribed ? subscription : null),
        subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
          isSubscribed = true;
          subscription.options.applicationServerKey = bytes(applicationServerKey);
          return subscription;
        },
      });
    },
    [endpoint, p256dh, auth] as const,
  );
};

interface ShownNotification {
  readonly title: string;
  readonly body: string;
  readonly actions: readonly string[];
}

interface KeptNotification extends Omit<ShownNotification, "actions"> {
  readonly actions: readonly { readonly title: string }[];
}

/**
 * Plays the browser's part for the service worker, which a browser without a screen gives no permission for notifications: has a
 * message delivered, presses buttons, and keeps what the worker shows.
 */
const playBrowser = async (page: Page) => {
  const worker = page.context().serviceWorkers().at(-1);
  if (!worker) throw new Error("no service worker runs");
  const session = await page.context().newCDPSession(page);
  const registrations: { readonly registrationId: string; readonly scopeURL: string }[] = [];
  session.on("ServiceWorker.workerRegistrationUpdated", (event) =>
    registrations.push(...event.registrations),
  );
  await session.send("ServiceWorker.enable");
  const { origin } = new URL(page.url());
  const find = () => registrations.find(({ scopeURL }) => scopeURL === `${origin}/`);
  await until("the service worker is known", async () => find() !== undefined);
  await worker.evaluate(() => {
    const scope = self as unknown as {
      kept: KeptNotification | null;
      readonly registration: { showNotification: unknown };
    };
    scope.kept = null;
    scope.registration.showNotification = async (title: string, options: object) => {
      scope.kept = { title, ...options } as KeptNotification;
    };
    // A browser without a screen has no icon either, and ends a worker that asks for a number on it.
    Object.defineProperty(self.navigator, "setAppBadge", { value: async () => {} });
  });
  const shown = async (): Promise<ShownNotification | null> => {
    const kept = await worker.evaluate(() => (self as unknown as { kept: KeptNotification | null }).kept);
    return kept && { title: kept.title, body: kept.body, actions: kept.actions.map(({ title }) => title) };
  };
  return {
    shown,
    deliver: async (payload: object) => {
      const registrationId = find()?.registrationId ?? "";
      const data = JSON.stringify(payload);
      await session.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
      await until("it is shown", async () => (await shown()) !== null);
    },
    press: (action: string) =>
      worker.evaluate(async (pressed) => {
        const { kept } = self as unknown as { readonly kept: object };
        let done: unknown;
        // Only an event of the browser may be extended; this one is waited for here.
        const waitUntil = (work: unknown): void => {
          done = work;
        };
        self.dispatchEvent(
          Object.defineProperties(new Event("notificationclick"), {
            notification: { value: { ...kept, close: () => {} } },
            action: { value: pressed },
            waitUntil: { value: waitUntil },
          }),
        );
        await done;
      }, action),
  };
};

describe("push notifications, in a real browser", () => {
  let service: PushService;
  const { server, visitAs } = useProduct(() => ({ WEBHOOK_NETWORKS: "loopback" }));
  before(async () => {
    service = await startPushService();
  });
  after(() => service.close());

  it("are switched on in the settings, tell of mail to a chosen mask, and switch it off and on without the app", async () => {
    const browser = service.subscribe();
    const { page } = await visitAs("push@example.org");
    await subscribeAt(page, browser);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload();
    const address = await createMask(page, "Corner Shop");

    await openSettings(page, "notifications");
    await page.getByText("No devices yet").waitFor();
    await expectAccessible(page, "notifications that are off");
    await page.getByRole("button", { name: "Switch on for this device" }).click();
    const device = page.getByRole("list", { name: "Devices" }).getByRole("listitem");
    await device.getByText("This device").waitFor();
    await device.getByRole("button", { name: /^Change/ }).click();
    const dialog = page.getByRole("dialog", { name: /^Notifications of/ });
    await dialog.getByRole("checkbox", { name: "Mail of chosen masks" }).check();
    await dialog.getByRole("button", { name: /Add a mask/ }).click();
    await page.getByRole("option", { name: /Corner Shop/ }).click();
    await dialog.getByRole("list", { name: "Chosen masks" }).getByText(address).waitFor();
    await expectAccessible(page, "the notifications of a device");
    await dialog.getByRole("button", { name: "Save" }).click();
    await device.getByText(/Mail of chosen masks/).waitFor();

    await sendMail(server, address);
    await until("it is pushed", async () => browser.shown().length === 1);
    const { deliver, press, shown } = await playBrowser(page);
    await deliver(browser.shown()[0] ?? {});
    expect(await shown()).to.deep.equal({
      title: "New mail",
      body: `Mail has come to ${address}.`,
      actions: ["Switch mask off"],
    });
    await press("switch-off");
    expect(await shown()).to.deep.equal({
      title: "New mail",
      body: "The mask is switched off.",
      actions: ["Undo"],
    });
    await page.evaluate(() => location.assign("#masks"));
    const active = maskCard(page, "Corner Shop").getByRole("switch");
    await until("the page shows it", async () => !(await active.isChecked()));
    await press("switch-on");
    await until("the page shows it", async () => active.isChecked());
  });

  it("lead a page that is shared to the form of a mask for its site, which the server never sees", async () => {
    const { page } = await visitAs("share@example.org");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload();
    await page.evaluate(() => {
      const form = Object.assign(document.createElement("form"), { method: "post", action: "/share" });
      form.enctype = "multipart/form-data";
      const url = Object.assign(document.createElement("input"), {
        name: "url",
        value: "https://www.shop.example/x",
      });
      form.append(url);
      document.body.append(form);
      form.submit();
    });
    const dialog = page.getByRole("dialog", { name: "Create Mask" });
    await dialog.waitFor();
    expect(await dialog.getByRole("textbox", { name: "Description" }).inputValue()).to.equal("shop.example");
    expect(await dialog.getByRole("textbox", { name: "Made for" }).inputValue()).to.equal("www.shop.example");
    expect(asked.filter((url) => url.includes("shop.example"))).to.deep.equal([]);
  });
});

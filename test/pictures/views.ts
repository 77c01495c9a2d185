// The table of all screens and dialogs, for the gallery and for what is asserted of all of them.
import type { Locator, Page } from "playwright-core";
import { recoveryCodeCount } from "../../core/session/twoFactor/recoveryCode.ts";
import { storedKeys } from "../../core/storage/storedKeys.ts";
import { createFigures } from "../fakes/productInsights.ts";
import { until } from "../server/support/until.ts";
import { now } from "./madeUp.ts";

/** A page that shows a screen or a dialog. */
export interface View {
  /** What it shows, in the folder of its screen: "masks: rows". */
  readonly name: string;
  /** Whose masks it shows; a visitor has not logged in. */
  readonly as: "visitor" | "some" | "many" | "none";
  /** The address that is opened. */
  readonly address: string;
  /** Whether an answer of the server never comes. */
  readonly isLoading?: true;
  /** Whether this device has kept nothing from before. */
  readonly isFirst?: true;
  /** The layout of the list of masks that this device remembers. */
  readonly layout?: "cards" | "rows";
  /** What the server's answers are changed to before the page is opened. */
  readonly answers?: (page: Page) => Promise<void>;
  /** What is pressed; resolves when the page shows what the name says. */
  readonly open: (page: Page) => Promise<void>;
}

type Open = View["open"];

const role = (
  page: Page,
  ...[kind, name]: readonly [Parameters<Page["getByRole"]>[0], string | RegExp]
): Locator => page.getByRole(kind, typeof name === "string" ? { name, exact: true } : { name }).first();

const heading =
  (name: string | RegExp): Open =>
  (page) =>
    role(page, "heading", name).waitFor();
const text =
  (words: string | RegExp): Open =>
  (page) =>
    page.getByText(words).first().waitFor();
const press =
  (name: string | RegExp): Open =>
  (page) =>
    role(page, "button", name).click();
const menuItem =
  (name: string | RegExp): Open =>
  (page) =>
    role(page, "menuitem", name).click();
const field =
  (name: string | RegExp, value: string): Open =>
  (page) =>
    role(page, "textbox", name).fill(value);
const dialog =
  (name: string | RegExp): Open =>
  (page) =>
    page.getByRole("dialog", { name }).or(page.getByRole("alertdialog", { name })).first().waitFor();
const steps =
  (...all: readonly Open[]): Open =>
  async (page) => {
    for (const step of all) await step(page);
  };

const answer =
  (path: string | RegExp, json: object, status = 200): ((page: Page) => Promise<void>) =>
  async (page) => {
    await page.route(path, (route) => route.fulfill({ status, json }));
  };
const fails = (path: string | RegExp) => answer(path, { message: "The server has a problem" }, 500);
const never =
  (path: string | RegExp): ((page: Page) => Promise<void>) =>
  async (page) => {
    await page.route(path, () => undefined);
  };

const codeStep = steps(
  heading("Sign in to Bauta"),
  field("Email address", "ada@example.org"),
  press("Log in"),
  async (page) => role(page, "textbox", "Verification code").waitFor(),
);
const signIn =
  (step: object, status = 200) =>
  async (page: Page): Promise<void> => {
    await page.route("**/login", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ json: { message: "A code is on its way" } })
        : route.fulfill({ status, json: step }),
    );
  };
const withCode = steps(codeStep, field("Verification code", "123456"));

const masks = { as: "some", address: "#masks" } as const;
/** After this time without an effect something is pressed again. */
const effectWithinMs = 500;

/** Presses a key until it has an effect: what listens to it comes a moment after the screen. */
export const pressKey =
  (key: string, effect: (page: Page) => Locator): Open =>
  async (page) => {
    for (let tries = 0; tries < 40 && (await effect(page).count()) === 0; tries += 1) {
      await page.keyboard.press(key);
      await effect(page)
        .waitFor({ timeout: effectWithinMs })
        .catch(() => undefined);
    }
    await effect(page).waitFor();
  };

const skeleton: Open = (page) => page.locator("main [aria-busy=true]").first().waitFor();
/** The offer comes last. */
const ready: Open = async (page) => {
  await role(page, "button", "Options for Bookshop").waitFor();
  await role(page, "button", "Not now").waitFor();
};
/** The session goes on at the last step of signing in, as after a reload there. */
const atKeySetup =
  (email: string) =>
  async (page: Page): Promise<void> => {
    await page.addInitScript(([name, owner]) => sessionStorage.setItem(name, owner), [
      storedKeys.keySetupOwner.name,
      email,
    ] as const);
  };
/**
 * Opens a menu: one that opens while its row is drawn anew closes with the row, and one that opens
 * late covers its button.
 */
const openMenu =
  (name: string): Open =>
  async (page) => {
    const menu = page.getByRole("menu");
    for (let tries = 0; tries < 40 && (await menu.count()) === 0; tries += 1) {
      await role(page, "button", name)
        .click({ timeout: 4 * effectWithinMs })
        .catch(() => undefined);
      await menu.waitFor({ timeout: effectWithinMs }).catch(() => undefined);
    }
    await menu.waitFor();
  };
const mask = (item: string, then: Open): Open =>
  steps(ready, openMenu("Options for Bookshop"), menuItem(item), then);
const editor = (group: string, label: string): Open =>
  mask(
    "Edit mask",
    steps(dialog("Edit Mask"), async (page) => {
      const form = page.getByRole("dialog", { name: "Edit Mask" });
      const shown = form.getByLabel(label).first();
      const part = form.locator("details").filter({ has: page.locator("summary", { hasText: group }) });
      for (let tries = 0; tries < 20 && !(await shown.isVisible()); tries += 1) {
        if ((await part.getAttribute("open")) === null) await part.locator("summary").click();
        await shown.waitFor({ timeout: effectWithinMs }).catch(() => undefined);
      }
      await shown.scrollIntoViewIfNeeded();
    }),
  );
/** Presses what stays pressed, until it is. */
const pressDown =
  (name: string): Open =>
  async (page) => {
    const pressed = page.getByRole("button", { name, exact: true, pressed: true });
    for (let tries = 0; tries < 40 && (await pressed.count()) === 0; tries += 1) {
      await page.getByRole("button", { name, exact: true }).click();
      await pressed.waitFor({ timeout: effectWithinMs }).catch(() => undefined);
    }
    await pressed.waitFor();
  };
const selected: Open = steps(ready, pressDown("Select"), async (page) => {
  const boxes = page.getByRole("checkbox", { name: /^Select / });
  await boxes.nth(1).click();
  await boxes.nth(3).click({ modifiers: ["Shift"] });
  await page.getByText("3 of 6 selected").waitFor();
});

const figures = createFigures();
const withFigures = async (page: Page): Promise<void> => {
  // The screen says to the second when it asked.
  await page.clock.setFixedTime(now);
  await answer(/\/ai\/insights(\?|$)/, figures)(page);
};
const selectedMore = (item: string, then: Open): Open =>
  steps(selected, openMenu("More for the selected masks"), menuItem(item), then);

/** Real secrets are random, so each run would take another picture. */
const secondFactor = async (page: Page): Promise<void> => {
  const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
  const uri = `otpauth://totp/Bauta:ada%40example.org?secret=${secret}&issuer=Bauta`;
  await answer(/\/account\/2fa\/setup$/, { secret, uri })(page);
  const recoveryCodes = Array.from({ length: recoveryCodeCount }, (_, at) => `k7wq${at}-m2x9r`);
  await answer(/\/account\/2fa\/verify$/, { recoveryCodes })(page);
};
const atQrCode = steps(press("Setup 2FA"), press("Continue"), dialog("Scan the QR code"), async (page) =>
  role(page, "img", /QR code/).waitFor(),
);

const appPasswords = async (page: Page): Promise<void> => {
  const appPassword = { id: "laptop", name: "Laptop", created: new Date(now).toISOString(), lastUsed: null };
  const server = { host: "mail.masks.example.org", tlsPort: 465, startTlsPort: 587 };
  await page.route(/\/account\/app-passwords$/, (route) =>
    route.fulfill({
      json:
        route.request().method() === "POST"
          ? { appPassword, password: "b7fq2-m9xwt-4hcnd-r6kzs" }
          : { passwords: [{ ...appPassword, lastUsed: appPassword.created }], server },
    }),
  );
};
const makeAppPassword = steps(press("Create app password"), dialog("Create app password"));

/** Two API tokens, and one more that is made. */
export const apiTokens = async (page: Page): Promise<void> => {
  const none = { domain: null, expires: null, lastUsed: null, lastNetwork: null };
  const created = new Date(now - 40 * 24 * 3_600_000).toISOString();
  const tokens = [
    { ...none, id: "1", name: "Bitwarden", scopes: ["masks:create"], created, domain: "own.example" },
    {
      ...none,
      id: "2",
      name: "Backup of the office",
      scopes: ["masks:read", "masks:write", "destinations", "correspondents", "log:read", "account:read"],
      created,
      expires: new Date(now + 5 * 24 * 3_600_000).toISOString(),
      lastUsed: new Date(now - 5 * 60_000).toISOString(),
      lastNetwork: "203.0.113.0/24",
    },
  ];
  await page.route(/\/account\/api-tokens$/, (route) =>
    route.fulfill({
      json:
        route.request().method() === "POST"
          ? { apiToken: tokens[0], token: "bauta_3f7k2q9xw4hc6nd5rm8jt0pbvzgeysa2l7k3q9x" }
          : { tokens },
    }),
  );
};
const makeApiToken = steps(
  text("Backup of the office"),
  press("Create API token"),
  dialog("Create API token"),
);

/** A webhook that works with its deliveries, and a paused one. */
/** A phone and a computer with notifications. */
const pushDevices = (page: Page): Promise<void> => {
  const phone = {
    id: "1",
    mark: "phone",
    userAgent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Safari/604.1",
    created: new Date(now - 90 * 60_000).toISOString(),
    lastSent: new Date(now - 5 * 60_000).toISOString(),
    kinds: ["held", "replies", "security", "masks"],
    masks: [],
    quietHours: { startTime: "22:00", endTime: "07:00", timeZone: "Europe/Vienna" },
    showsSender: true,
  };
  const computer = {
    ...phone,
    id: "2",
    mark: "computer",
    userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0",
    lastSent: null,
    kinds: ["security"],
    quietHours: null,
    showsSender: false,
  };
  return answer(/\/account\/push$/, {
    key: "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
    devices: [phone, computer],
  })(page);
};

export const webhooks = async (page: Page): Promise<void> => {
  const minutesAgo = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();
  const delivery = {
    id: "3",
    messageId: "msg_3",
    event: "mail.received",
    created: minutesAgo(5),
    state: "delivered",
    attempts: 1,
    nextAttempt: null,
    status: 204,
    problem: null,
    answer: "",
    durationMs: 84,
  };
  const webhook = {
    id: "1",
    url: "https://automation.example.org/hooks/bauta",
    events: ["mail.received", "mail.held", "mask.made"],
    labels: [],
    includesContent: false,
    state: "on",
    pausedBecause: null,
    failingSince: null,
    created: minutesAgo(90),
    earlierSecretUntil: null,
    lastDelivery: delivery,
  };
  const failed = {
    ...delivery,
    id: "2",
    event: "mail.held",
    state: "failed",
    attempts: 11,
    status: 500,
    problem: "Answered 500, which is not a success.",
    answer: "The queue is full",
  };
  const waiting = { ...failed, id: "1", state: "waiting", attempts: 2, nextAttempt: minutesAgo(-4) };
  const paused = {
    ...webhook,
    id: "2",
    url: "https://chat.example.net/services/T0298/B7HK2Q9XW4HC6ND5RM8JT0PBVZGEYSA2L7K3Q9X",
    events: ["mail.blocked"],
    labels: ["shops", "work"],
    state: "paused",
    pausedBecause: "failing",
    lastDelivery: failed,
  };
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwJ0Yd4t3Kxk0=";
  await page.route(/\/account\/webhooks$/, (route) =>
    route.fulfill({
      json:
        route.request().method() === "POST"
          ? { webhook, secret }
          : { webhooks: [webhook, paused], hasKey: false },
    }),
  );
  await answer(/\/webhooks\/1\/deliveries$/, { deliveries: [delivery, failed, waiting] })(page);
};
const keptMail = (subject: string): string =>
  Buffer.from(
    [
      "From: Corner Shop <re-aaaa@masks.example>",
      `Subject: ${subject}`,
      "Date: Fri, 20 Nov 2026 09:00:00 +0000",
      "Content-Type: text/plain; charset=utf-8",
      "",
      "The tram takes another way until spring.",
    ].join("\r\n"),
  ).toString("base64");
const mailbox = async (page: Page): Promise<void> => {
  const minutesAgo = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();
  const mail = {
    maskId: "any",
    size: 48_300,
    read: false,
    archived: minutesAgo(90),
    until: minutesAgo(-9_000),
  };
  await answer(/\/archive(?:\?.*)?$/, {
    mails: [
      { ...mail, id: "2" },
      { ...mail, id: "1", read: true, archived: minutesAgo(900) },
    ],
    more: true,
    storage: { used: 3_400_000, limit: 20_000_000 },
  })(page);
  await answer(/\/archive\/2\/copy/, { content: keptMail("The tram takes another way until spring") })(page);
  await answer(/\/archive\/1\/copy/, { content: keptMail("Your receipt ".repeat(12)) })(page);
};
const addWebhook = steps(text("automation.example.org"), press("Add webhook"), dialog("Add webhook"));

/** Waits until the page gets news: a connection that is lost while it is made is not told of at once. */
const connected: Open = async (page) => {
  await page.waitForLoadState("networkidle");
  await page.getByText("Connecting").first().waitFor({ state: "detached" });
};
const setOffline =
  (isOffline: boolean): Open =>
  (page) =>
    page.context().setOffline(isOffline);
/** What is changed without a connection stays on the device. */
const unsent = async (page: Page): Promise<void> => {
  await page.route("**", (route) =>
    route.request().method() === "GET" ? route.fallback() : route.abort("internetdisconnected"),
  );
};

const settings = (section: string) => ({ as: "some", address: `#settings/${section}` }) as const;

/** All screens and dialogs. */
export const views: readonly View[] = [
  { name: "sign-in: address", as: "visitor", address: "", open: heading("Sign in to Bauta") },
  {
    name: "sign-in: no address",
    as: "visitor",
    address: "",
    open: steps(heading("Sign in to Bauta"), field("Email address", "ada"), press("Log in"), text(/valid/)),
  },
  { name: "sign-in: code", as: "visitor", address: "", answers: signIn({}), open: codeStep },
  {
    name: "sign-in: wrong code",
    as: "visitor",
    address: "",
    answers: signIn({ message: "This code is wrong or too old" }, 401),
    open: steps(withCode, text(/wrong or too old/)),
  },
  {
    name: "sign-in: second factor",
    as: "visitor",
    address: "",
    answers: signIn({ requires2FA: true, tempToken: "ticket" }),
    open: steps(withCode, async (page) => role(page, "textbox", "2FA code").waitFor()),
  },
  {
    name: "sign-in: new account",
    as: "visitor",
    address: "",
    answers: signIn({ status: "plan_selection_required", tempToken: "ticket" }),
    open: steps(withCode, async (page) =>
      page
        .getByRole("button", { name: /^(Create account|Continue with)/, disabled: false })
        .first()
        .waitFor(),
    ),
  },
  {
    name: "sign-in: encryption",
    as: "none",
    address: "",
    answers: atKeySetup("new@example.org"),
    open: steps(heading("Encrypt your mail"), async (page) => role(page, "button", "Not now").waitFor()),
  },
  { name: "masks: cards", ...masks, open: ready },
  { name: "masks: rows", ...masks, layout: "rows", open: ready },
  { name: "masks: none", as: "none", address: "#masks", open: text(/mask/i) },
  { name: "masks: 300 as cards", as: "many", address: "#masks", open: heading(/^Shop number/) },
  {
    name: "masks: 300 as rows",
    as: "many",
    address: "#masks",
    layout: "rows",
    open: text("Shop number 0"),
  },
  {
    name: "masks: loading",
    isLoading: true,
    isFirst: true,
    ...masks,
    answers: never(/\/masks(\?|$)/),
    open: skeleton,
  },
  {
    name: "masks: error",
    isFirst: true,
    ...masks,
    answers: fails(/\/masks(\?|$)/),
    open: heading("Your Email Masks"),
  },
  {
    name: "masks: nothing found",
    ...masks,
    open: steps(ready, async (page) => {
      await page.getByRole("searchbox").first().fill("harpsichord");
      await page.getByText("Bookshop", { exact: true }).first().waitFor({ state: "detached" });
    }),
  },
  {
    name: "masks: menu of a mask",
    ...masks,
    open: steps(ready, openMenu("Options for Bookshop")),
  },
  {
    name: "masks: sort and view",
    ...masks,
    open: steps(ready, press("Sort and view"), dialog("Sort and view")),
  },
  { name: "masks: labels", ...masks, open: steps(ready, press("Labels"), dialog("Labels")) },
  { name: "masks: selection of cards", ...masks, open: selected },
  {
    name: "masks: selection of rows",
    ...masks,
    layout: "rows",
    open: steps(ready, pressDown("Select"), async (page) => {
      const row = page.getByRole("checkbox", { name: /^Select / }).nth(1);
      await row.check();
      await page
        .getByText(/1 of \d selected/)
        .first()
        .waitFor();
      // On a narrow screen the bar for the selection appears over the first rows.
      await row.evaluate((element) => element.scrollIntoView({ block: "center" }));
    }),
  },
  {
    name: "masks: rename",
    ...masks,
    open: steps(ready, async (page) => {
      await role(page, "link", "Concert tickets").press("F2");
      await role(page, "textbox", "Description of Concert tickets").waitFor();
    }),
  },
  { name: "masks: create", ...masks, open: steps(ready, press(/^Create Mask/), dialog("Create Mask")) },
  { name: "masks: edit", ...masks, open: mask("Edit mask", dialog("Edit Mask")) },
  { name: "masks: edit, delivery", ...masks, open: editor("Delivery", "Also forward to") },
  { name: "masks: edit, who may write", ...masks, open: editor("Who may write", "Blocked senders") },
  { name: "masks: edit, lifetime", ...masks, open: editor("Lifetime", "Expires after days without mail") },
  { name: "masks: delete", ...masks, open: mask("Delete mask", dialog(/^Delete/)) },
  { name: "masks: write from one", ...masks, open: mask("Reply or write", dialog(/^Reply or write/)) },
  { name: "masks: add a destination", ...masks, open: mask("Add destination", dialog(/^Add a destination/)) },
  { name: "masks: block a sender", ...masks, open: mask("Block a sender", dialog(/^Block a sender/)) },
  {
    name: "masks: deleted",
    as: "some",
    address: "#masks/deleted",
    open: steps(dialog("Deleted masks"), text("Flea market")),
  },
  { name: "masks: delete several", ...masks, open: steps(selected, press(/^Delete/), dialog(/^Delete/)) },
  {
    name: "masks: label several",
    ...masks,
    open: steps(selected, press(/^Label$|^Label…$|^Labels…$/), dialog(/^Label 3/)),
  },
  {
    name: "masks: move several",
    ...masks,
    open: steps(selected, press("Move to…"), dialog(/^Move 3/)),
  },
  {
    name: "masks: apply rules to several",
    ...masks,
    open: selectedMore("Apply rules…", dialog(/^Apply rules to 3/)),
  },
  { name: "mask", ...masks, open: mask("Open", heading("Bookshop")) },
  { name: "rules: of a mask", as: "some", address: "#rules", open: heading("Rule Templates") },
  { name: "rules: overview", as: "some", address: "#rules/overview", open: text("Block sales") },
  { name: "rules: none", as: "none", address: "#rules", open: heading("Custom Rules") },
  {
    name: "rules: of all masks",
    as: "some",
    address: "#rules",
    open: steps(heading("Custom Rules"), async (page) => {
      await page.getByRole("main").getByRole("button", { name: "Mask" }).click();
      await page.getByRole("option", { name: "All masks" }).click();
      await page.getByText("Block sales").first().waitFor();
    }),
  },
  {
    name: "rules: overview with a selection",
    as: "some",
    address: "#rules/overview",
    open: steps(text("Block sales"), async (page) =>
      page.getByRole("checkbox", { name: "Select all" }).check(),
    ),
  },
  {
    name: "rules: apply to several masks",
    as: "some",
    address: "#rules/overview",
    open: steps(
      text("Block sales"),
      async (page) => page.getByRole("checkbox", { name: "Select all" }).check(),
      async (page) => {
        // A narrow screen has no place for all buttons.
        const button = page.getByRole("button", { name: /^Apply to masks/ });
        if ((await button.count()) === 0) await press(/^More for/)(page);
        await button.or(page.getByRole("menuitem", { name: /^Apply to masks/ })).click();
      },
      dialog(/^Apply/),
    ),
  },
  {
    name: "rules: new",
    as: "some",
    address: "#rules",
    open: steps(press(/^(Create Rule|Add First Rule)$/), dialog("Create New Rule")),
  },
  {
    name: "rules: search of a field",
    as: "some",
    address: "#rules",
    open: steps(
      press(/^(Create Rule|Add First Rule)$/),
      dialog("Create New Rule"),
      press(/Condition 1: field/),
      async (page) => page.getByRole("combobox", { name: "Search the fields" }).fill("size"),
    ),
  },
  {
    name: "insights",
    isFirst: true,
    as: "some",
    address: "#insights",
    answers: withFigures,
    open: heading("Who writes to you"),
  },
  {
    name: "insights: as tables",
    isFirst: true,
    as: "some",
    address: "#insights",
    answers: withFigures,
    open: steps(heading("Who writes to you"), async (page) => {
      const ways = page.getByRole("button", { name: /^Show as table/ });
      for (let left = await ways.count(); left > 0; left = await ways.count()) {
        await ways.first().click();
        await until("the chart is a table", async () => (await ways.count()) < left);
      }
    }),
  },
  { name: "insights: none", as: "none", address: "#insights", open: heading("Email Insights") },
  {
    name: "insights: error",
    isFirst: true,
    as: "many",
    address: "#insights",
    answers: fails(/\/ai\/insights/),
    open: heading("Email Insights"),
  },
  { name: "settings", as: "some", address: "#settings", open: heading("Settings") },
  { name: "settings: account", ...settings("account"), open: heading("Appearance") },
  {
    name: "settings: mail",
    ...settings("mail"),
    open: steps(heading("Addresses"), text("bills@second.example")),
  },
  { name: "settings: masks", ...settings("masks"), open: heading("New masks") },
  {
    name: "settings: security",
    ...settings("security"),
    open: steps(heading("Two-Factor Authentication"), heading("Sessions")),
  },
  { name: "settings: privacy", ...settings("privacy"), open: heading("AI Features") },
  { name: "settings: domains", ...settings("domains"), open: text("own.example") },
  { name: "settings: programs", ...settings("programs"), open: text("No API tokens yet") },
  {
    name: "settings: API tokens",
    ...settings("programs"),
    answers: apiTokens,
    open: text("Backup of the office"),
  },
  { name: "settings: make an API token", ...settings("programs"), answers: apiTokens, open: makeApiToken },
  {
    name: "settings: API token",
    ...settings("programs"),
    answers: apiTokens,
    open: steps(makeApiToken, field("Program", "Bitwarden"), press("Create token"), dialog("Your API token")),
  },
  {
    name: "settings: webhooks",
    as: "some",
    address: "#settings/programs/webhooks",
    answers: webhooks,
    open: text("automation.example.org"),
  },
  { name: "settings: add webhook", ...settings("programs"), answers: webhooks, open: addWebhook },
  {
    name: "settings: secret of a webhook",
    ...settings("programs"),
    answers: webhooks,
    open: steps(
      addWebhook,
      field("Address", "https://automation.example.org/hooks/bauta"),
      async (page) => page.getByRole("dialog").getByRole("button", { name: "Add webhook" }).click(),
      dialog("Your webhook secret"),
    ),
  },
  {
    name: "settings: deliveries of a webhook",
    ...settings("programs"),
    answers: webhooks,
    open: steps(
      press(/^Deliveries: https:\/\/automation/),
      dialog(/^Deliveries to/),
      text("The queue is full"),
    ),
  },
  {
    name: "settings: delete webhook",
    ...settings("programs"),
    answers: webhooks,
    open: steps(
      press(/^Actions for https:\/\/automation/),
      menuItem("Delete"),
      dialog(/^Delete the webhook/),
    ),
  },
  {
    name: "settings: notifications",
    ...settings("notifications"),
    answers: pushDevices,
    open: text("Safari on iPhone"),
  },
  { name: "settings: no device", ...settings("notifications"), open: text("No devices yet") },
  {
    name: "settings: change a device",
    ...settings("notifications"),
    answers: pushDevices,
    open: steps(press(/^Change: Safari/), dialog(/^Notifications of/)),
  },
  {
    name: "settings: remove a device",
    ...settings("notifications"),
    answers: pushDevices,
    open: steps(press(/^Actions for Safari/), menuItem("Remove"), dialog(/^Remove Safari/)),
  },
  { name: "settings: data", ...settings("data"), open: heading("Export my data") },
  {
    name: "settings: add address",
    ...settings("mail"),
    open: steps(press("Add address"), dialog("Add address")),
  },
  {
    name: "settings: second factor",
    ...settings("security"),
    open: steps(press("Setup 2FA"), dialog("Set up two-factor authentication")),
  },
  {
    name: "settings: second factor, QR code",
    ...settings("security"),
    answers: secondFactor,
    open: atQrCode,
  },
  {
    name: "settings: second factor, recovery codes",
    isFirst: true,
    ...settings("security"),
    answers: secondFactor,
    open: steps(
      atQrCode,
      field("Verification code", "123456"),
      press("Verify & Activate"),
      dialog("Two-factor authentication is on"),
    ),
  },
  {
    name: "settings: encryption",
    ...settings("security"),
    open: steps(press("Setup Encryption"), dialog("Encrypt your mail")),
  },
  {
    name: "settings: import a backup",
    ...settings("security"),
    open: steps(press("Import a backup"), dialog("Import a backup")),
  },
  {
    name: "settings: delete account",
    ...settings("account"),
    open: steps(press("Delete my account"), dialog("Delete your account?")),
  },
  {
    name: "settings: make an app password",
    ...settings("programs"),
    answers: appPasswords,
    open: makeAppPassword,
  },
  {
    name: "settings: app password",
    ...settings("programs"),
    answers: appPasswords,
    open: steps(
      makeAppPassword,
      field("Program or device", "Laptop"),
      press("Create password"),
      dialog("Your app password"),
    ),
  },
  {
    name: "settings: add domain",
    ...settings("domains"),
    open: steps(text("own.example"), press("Add domain"), dialog("Add domain")),
  },
  {
    name: "settings: records of a domain",
    ...settings("domains"),
    open: steps(text("own.example"), press(/own\.example/), dialog("own.example")),
  },
  {
    name: "settings: remove domain",
    ...settings("domains"),
    open: steps(press("Remove: own.example"), dialog(/^Remove/)),
  },
  {
    name: "settings: loading",
    isLoading: true,
    isFirst: true,
    as: "many",
    address: "#settings/mail",
    answers: never(/\/destinations(\?|$)/),
    open: heading("Mail"),
  },
  { name: "account", as: "some", address: "#account", open: heading("Your Account") },
  {
    name: "account: change of address",
    as: "some",
    address: "#account",
    open: steps(press(/^Change (email|address)/), dialog("Change your email")),
  },
  {
    name: "log out",
    isFirst: true,
    as: "some",
    address: "#rules",
    answers: unsent,
    open: steps(
      heading("Rule Templates"),
      setOffline(true),
      press(/^Apply/),
      text(/pending sync/),
      setOffline(false),
      press("Log out"),
      dialog("Log out?"),
    ),
  },
  {
    name: "mail in the app",
    as: "some",
    address: "#mailbox",
    answers: mailbox,
    open: text("The tram takes another way until spring"),
  },
  { name: "mail in the app: none", as: "none", address: "#mailbox", open: text("No mail in the app yet") },
  {
    name: "mail in the app: read",
    as: "some",
    address: "#mailbox",
    answers: mailbox,
    open: steps(
      press(/The tram takes another way/),
      press("Read"),
      dialog("Mail"),
      text("The tram takes another way until spring."),
    ),
  },
  {
    name: "mail in the app: answer",
    as: "some",
    address: "#mailbox",
    answers: mailbox,
    open: steps(
      press(/The tram takes another way/),
      press("Read"),
      dialog("Mail"),
      press("Answer"),
      dialog("Answer"),
    ),
  },
  { name: "held mail", as: "some", address: "#held", open: text("The tram takes another way until spring") },
  { name: "held mail: none", as: "none", address: "#held", open: text("No mail is held") },
  {
    name: "held mail: read",
    as: "some",
    address: "#held",
    open: steps(press(/Shall we walk/), press("Read"), dialog("Held mail"), text("With kind regards")),
  },
  {
    name: "held mail: selection",
    as: "some",
    address: "#held",
    open: steps(text("The tram takes another way until spring"), async (page) =>
      page.getByRole("checkbox", { name: "Select all" }).check(),
    ),
  },
  {
    name: "held mail: delete",
    as: "some",
    address: "#held",
    open: steps(press(/Shall we walk/), press("Delete"), dialog(/^Delete/)),
  },
  {
    name: "held mail: error",
    isFirst: true,
    as: "some",
    address: "#held",
    answers: fails(/\/held(\?|$)/),
    open: heading("Held mail"),
  },
  { name: "log", as: "some", address: "#log", open: text("orders@bookshop.example") },
  { name: "log: none", as: "none", address: "#log", open: heading("Log") },
  {
    name: "log: why",
    as: "some",
    address: "#log",
    open: steps(press(/orders@bookshop\.example/), async (page) => role(page, "list", "Why").waitFor()),
  },
  {
    name: "developers",
    as: "some",
    address: "#developers",
    open: steps(heading("Developers"), heading("Masks")),
  },
  {
    name: "developers: a call",
    as: "some",
    address: "#developers?call=put-masks-id",
    open: steps(heading("PUT /masks/{id}"), heading("Try it")),
  },
  {
    name: "operator",
    as: "some",
    address: "#account/operator",
    open: steps(heading("Operator"), heading("Queue"), heading("DNS records")),
  },
  {
    name: "palette",
    ...masks,
    open: steps(ready, async (page) => {
      await pressKey("Control+k", (shown) => shown.getByRole("combobox"))(page);
      await page.getByRole("option").first().waitFor();
    }),
  },
  {
    name: "palette: search",
    ...masks,
    open: steps(ready, async (page) => {
      await pressKey("Control+k", (shown) => shown.getByRole("combobox"))(page);
      await page.getByRole("combobox").fill("s");
      await page.getByRole("option").first().waitFor();
    }),
  },
  {
    name: "keys",
    ...masks,
    open: steps(
      ready,
      pressKey("?", (page) => page.getByRole("dialog", { name: "Keys and search" })),
    ),
  },
  {
    name: "more",
    ...masks,
    open: steps(ready, press(/^More/), async (page) => page.getByRole("menu").waitFor()),
  },
  {
    name: "notifications",
    ...masks,
    open: steps(
      ready,
      press(/^Notifications/),
      dialog("Notifications"),
      text("Your copy of all data is ready."),
    ),
  },
  {
    name: "notifications: none",
    as: "none",
    address: "#masks",
    open: steps(
      heading("Your Email Masks"),
      press(/^Notifications/),
      dialog("Notifications"),
      text("No notifications"),
    ),
  },
  {
    name: "offline",
    ...masks,
    open: steps(ready, connected, setOffline(true), text(/You are offline/)),
  },
];

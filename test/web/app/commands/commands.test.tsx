import "../../../support/dom.ts";
import "../../../../web/app/commands/Keys.tsx";
import "../../../../web/app/commands/Commands.tsx";
import "../../../../web/app/MoreMenuPopup.tsx";
import "../../../../web/features/mailLog/LogPage.tsx";
import "../../../../web/features/masks/createRandomMask.ts";
import "../../../../web/features/masks/MaskAddress.ts";
import "../../../../web/features/masks/MaskDialogs.tsx";
import "../../../../web/features/masks/list/MaskSelection.tsx";
import "../../../../web/app/settings/SettingsTab.tsx";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect } from "chai";
import { screenWords } from "../../../../web/app/commands/screenWords.ts";
import { listScreens } from "../../../../web/app/routes/screens.ts";
import { listDialogs } from "../../../../web/features/masks/listDialogs.ts";
import { createMask, createUser } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, type OpenPage, openMasks } from "../../support/openPage.tsx";
import { tabLink } from "../../support/tabLink.ts";

const operator = { ...createUser("ada@example.org"), isOperator: true };
const shop = createMask("a", { description: "Café Shop", labels: ["travel"], active: false });

const press = async (page: OpenPage, keys: string): Promise<void> => {
  await page.user.keyboard(keys);
  await page.act(() => {});
};

const palette = async (page: OpenPage): Promise<HTMLElement> => {
  await press(page, "{Control>}k{/Control}");
  return screen.findByRole("combobox", { name: "Find a mask, a label, a screen or an action" });
};

const options = (): readonly (string | null)[] =>
  screen.getAllByRole("option").map(({ textContent }) => textContent);

describe("The keys", () => {
  useDom();
  afterEach(closePages);

  it("wait for what the first one opens: what is typed right behind it creates nothing", async () => {
    const page = await openMasks({ masks: [shop] });
    fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
    for (const key of ["r", "n"]) fireEvent.keyDown(document.body, { key });
    await screen.findByRole("combobox", { name: "Find a mask, a label, a screen or an action" });
    await page.act(() => {});
    expect(page.server.requestsTo("POST /masks")).to.deep.equal([]);
    expect(screen.queryByRole("dialog", { name: "Create Mask" })).to.equal(null);
  });

  it("create, search and select, from any tab", async () => {
    const page = await openMasks({ masks: [shop] });
    await page.user.click(tabLink("Settings"));
    await press(page, "/");
    await waitFor(() => expect(document.activeElement).to.equal(screen.getByRole("searchbox")));
    await press(page, "n");
    expect(screen.getByRole<HTMLInputElement>("searchbox").value, "typing is typing").to.equal("n");
    await press(page, "{Escape}");
    screen.getByRole("heading", { level: 1 }).focus();
    await press(page, "s");
    await screen.findByRole("region", { name: "Select masks" });
    await press(page, "n");
    await screen.findByRole("dialog", { name: "Create Mask" });
    await press(page, "?");
    expect(screen.queryByRole("dialog", { name: "Keys and search" }), "a dialog is open").to.equal(null);
  });

  it("create a random mask, whose address is copied", async () => {
    const page = await openMasks({ masks: [shop] });
    await press(page, "r");
    await screen.findByText("Mask created successfully. Its address is copied.");
    const made = page.product.masks().find(({ id }) => id !== "a");
    expect(made?.description).to.match(/^Random mask, /);
    await waitFor(() => expect(page.page.clipboard()).to.equal(made?.maskEmail));
  });

  it("are listed by ?, and can be switched off but for Ctrl K", async () => {
    const page = await openMasks({ masks: [shop] });
    await press(page, "?");
    const help = within(await screen.findByRole("dialog", { name: "Keys and search" }));
    await page.user.click(help.getByRole("switch", { name: "Single keys" }));
    await page.user.click(help.getByRole("button", { name: "Done" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).to.equal(null));
    await press(page, "n");
    expect(screen.queryByRole("dialog")).to.equal(null);
    await palette(page);
  });
});

describe("The menu of the navigation", () => {
  useDom();
  afterEach(closePages);

  const openMenu = async (page: OpenPage): Promise<HTMLElement> => {
    await page.user.click(screen.getByRole("button", { name: "More" }));
    await page.act(() => {});
    return screen.findByRole("menu", { name: "More" });
  };

  it("has a link to each page without a tab, and the keys", async () => {
    const page = await openMasks({ masks: [shop] });
    const items = within(await openMenu(page)).getAllByRole("menuitem");
    expect(items.map((item) => [item.textContent, item.getAttribute("href")])).to.deep.equal([
      ["Held mail", "#held"],
      ["Mail in the app", "#mailbox"],
      ["Log", "#log"],
      ["Domains", "#settings/domains"],
      ["Deleted masks", "#masks/deleted"],
      ["Keyboard shortcuts?", null],
    ]);
    await page.user.click(screen.getByRole("menuitem", { name: /^Keyboard shortcuts/ }));
    await screen.findByRole("dialog", { name: "Keys and search" });
    await press(page, "{Escape}");
    await waitFor(() =>
      expect(document.activeElement).to.equal(screen.getByRole("button", { name: "More" })),
    );
  });

  it("leads to a page, whose heading has the focus then", async () => {
    const page = await openMasks({ masks: [shop] });
    await openMenu(page);
    await page.user.click(screen.getByRole("menuitem", { name: "Log" }));
    const heading = await screen.findByRole("heading", { level: 1, name: "Log" });
    expect(window.location.hash).to.equal("#log");
    await waitFor(() => expect(document.activeElement).to.equal(heading));
  });

  it("shows operators their page", async () => {
    const page = await openMasks({
      masks: [shop],
      before: ({ server }) => server.on("GET", "/account", { json: operator }),
    });
    await openMenu(page);
    const item = await screen.findByRole("menuitem", { name: "Operator" });
    expect(item.getAttribute("href")).to.equal("#account/operator");
  });
});

describe("The palette", () => {
  useDom();
  afterEach(closePages);

  it("finds a mask without its accents, and Enter copies its address", async () => {
    const page = await openMasks({ masks: [createMask("b"), shop] });
    await palette(page);
    await page.user.keyboard("cafe");
    screen.getByRole("option", { name: /Café Shop/, selected: true });
    await press(page, "{Enter}");
    await waitFor(() => expect(screen.queryByRole("dialog")).to.equal(null));
    await screen.findByText("Email mask copied to clipboard");
    expect(page.page.clipboard()).to.equal("a@masks.example");
  });

  it("offers below the mask that fits best what can be done with it", async () => {
    const page = await openMasks({ masks: [createMask("b"), shop] });
    await palette(page);
    await page.user.keyboard("cafe");
    expect(options()).to.deep.equal([
      "Café ShopCopy a@masks.exampleEnter",
      "Open Café Shop",
      "Switch on Café Shop",
      "Rules of Café Shop",
      "Block a sender at Café Shop",
      "Reply or write from Café Shop",
    ]);
    await press(page, "{ArrowDown}{ArrowDown}{Enter}");
    await waitFor(() => expect(page.product.masks().find(({ id }) => id === "a")?.active).to.equal(true));
  });

  it("does with a mask what the first word says, or asks for the mask", async () => {
    const page = await openMasks({ masks: [createMask("b"), shop] });
    await palette(page);
    await page.user.keyboard("rules cafe");
    expect(options()[0]).to.equal("Rules of Café Shop");
    await page.user.clear(screen.getByRole("combobox"));
    await page.user.keyboard("pause");
    await press(page, "{Enter}");
    expect(screen.getByRole<HTMLInputElement>("combobox").value).to.equal("Switch off a mask: ");
    expect(options()).to.deep.equal(["Switch off Mask b"]);
    await page.user.keyboard("b");
    await press(page, "{Enter}");
    await waitFor(() => expect(page.product.masks().find(({ id }) => id === "b")?.active).to.equal(false));
  });

  it("switches a mask only the way that was typed", async () => {
    const page = await openMasks({ masks: [createMask("b"), shop] });
    await palette(page);
    await page.user.keyboard("activate b");
    expect(options().join()).not.to.contain("Switch o");
    for (const [typed, first] of [
      ["activate cafe", "Switch on Café Shop"],
      ["switch cafe", "Switch on Café Shop"],
      ["pause mask", "Switch off Mask b"],
    ] as const) {
      fireEvent.change(screen.getByRole("combobox"), { target: { value: typed } });
      expect(options()[0]).to.equal(first);
    }
  });

  it("names Enter on a mask only where Enter copies its address", async () => {
    const page = await openMasks({ masks: [createMask("a", { description: "Big dark room" })] });
    await palette(page);
    await page.user.keyboard("dark");
    expect(options()[0]).to.equal("Dark theme");
    expect(options()).to.include("Big dark roomCopy a@masks.example");
  });

  it("shows the masks of a label, a screen and a dialog", async () => {
    const page = await openMasks({ masks: [createMask("b"), shop] });
    await palette(page);
    await page.user.keyboard("travel");
    await press(page, "{Enter}");
    await waitFor(() => expect(window.location.hash).to.equal("#masks?search=label%3Atravel"));
    await palette(page);
    await page.user.keyboard("settings");
    await press(page, "{Enter}");
    await screen.findByRole("heading", { name: "Settings" });
    await palette(page);
    await page.user.keyboard("create a mask");
    await press(page, "{Enter}");
    await screen.findByRole("dialog", { name: "Create Mask" });
  });

  it("is opened by the field of the header, and says what can be found", async () => {
    const page = await openMasks({ masks: [shop] });
    const opener = screen.getByRole("button", { name: "Search or go to…" });
    await page.user.click(opener);
    const field = await screen.findByRole("combobox");
    expect(field.getAttribute("placeholder")).to.equal("Masks, labels, screens, actions");
    const groups = screen.getAllByRole("group").map((group) => group.getAttribute("aria-label"));
    expect(groups).to.deep.equal(["Actions", "Screens"]);
    await press(page, "{Escape}");
    await waitFor(() => expect(document.activeElement).to.equal(opener));
  });

  it("offers what was run last first, once, also for a mask", async () => {
    const page = await openMasks({ masks: [createMask("b"), shop] });
    for (const typed of ["cafe", "log", "cafe"]) {
      await palette(page);
      await page.user.keyboard(typed);
      await press(page, "{Enter}");
      await waitFor(() => expect(screen.queryByRole("dialog")).to.equal(null));
    }
    await palette(page);
    const recent = within(screen.getByRole("group", { name: "Recent" })).getAllByRole("option");
    expect(recent.map(({ textContent }) => textContent)).to.deep.equal([
      "Café ShopCopy a@masks.example",
      "Log",
    ]);
    expect(screen.getAllByRole("option", { name: "Log" })).to.have.length(1);
    expect(recent[0]?.getAttribute("aria-selected")).to.equal("true");
  });

  it("creates a mask of the name that finds nothing", async () => {
    const page = await openMasks({ masks: [shop] });
    await palette(page);
    await page.user.keyboard("Zebra shop");
    expect(screen.getByText("Nothing found").getAttribute("role")).to.equal("status");
    expect(options()).to.deep.equal(["Create mask “Zebra shop”"]);
    await press(page, "{Enter}");
    const form = within(await screen.findByRole("dialog", { name: "Create Mask" }));
    expect(form.getByRole<HTMLInputElement>("textbox", { name: /^Description/ }).value).to.equal(
      "Zebra shop",
    );
  });

  it("leads to the search and the selection of the list once it has closed", async () => {
    const page = await openMasks({ masks: [shop] });
    await palette(page);
    await page.user.keyboard("search the masks");
    await press(page, "{Enter}");
    await waitFor(() => expect(document.activeElement).to.equal(screen.getByRole("searchbox")));
    await palette(page);
    await page.user.keyboard("select several");
    await press(page, "{Enter}");
    await screen.findByRole("region", { name: "Select masks" });
  });

  it("logs out", async () => {
    const page = await openMasks({ masks: [shop] });
    await palette(page);
    await page.user.keyboard("sign out");
    await press(page, "{Enter}");
    await page.advance(1_000);
    await waitFor(() => expect(page.app.session.state$.value.kind).to.equal("signed-out"));
  });
});

/** What people type, and the first thing that is found. */
const firstResults: Readonly<Record<string, string>> = {
  block: "Block a sender",
  blocked: "Block a sender",
  why: "Log",
  "new rule": "Create a rule",
  passkey: "Passkeys",
  fingerprint: "Passkeys",
  reply: "Reply or write",
  "log out": "Log out",
  logout: "Log out",
  "sign out": "Log out",
  dns: "Domains",
  domain: "Domains",
  statistics: "Insights",
  help: "Keyboard shortcuts",
  "2fa": "Two-Factor Authentication",
  authenticator: "Two-Factor Authentication",
  backup: "Export my data",
  export: "Export my data",
  import: "Import masks",
  move: "Import masks",
  "delete account": "Delete account",
  dark: "Dark theme",
  api: "API tokens",
  token: "API tokens",
  bitwarden: "API tokens",
  webhook: "Webhooks",
  smtp: "Mail programs",
  key: "Email Encryption",
  encrypt: "Email Encryption",
  pgp: "Email Encryption",
  bill: "Account",
  billing: "Account",
  plan: "Account",
  language: "Appearance",
  undo: "Deleted masks",
  restore: "Deleted masks",
  trash: "Deleted masks",
  spam: "Held mail",
  quarantine: "Held mail",
  newsletter: "Unsubscribe",
  unsubscribe: "Unsubscribe",
  alias: "Create a mask",
  random: "Create a random mask",
  forward: "Addresses",
  "switch off": "Switch off a mask",
  pause: "Switch off a mask",
  activate: "Switch on a mask",
  copy: "Copy the address of a mask",
  rename: "Edit a mask",
  sort: "Sort and view",
  notifications: "Notifications",
  push: "Push notifications",
  "quiet hours": "Push notifications",
  devices: "Sessions",
  "catch all": "Domains",
  "two factor": "Two-Factor Authentication",
  whitelist: "Edit a mask",
  select: "Select several masks",
  find: "Search the masks",
  logs: "Log",
  forwarding: "Addresses",
};

describe("What people type into the palette", () => {
  useDom();
  afterEach(closePages);

  it("is known of screens and dialogs alone that are offered", () => {
    const offered = [...listScreens(true), ...listDialogs].map(({ path }) => path.join("/"));
    expect(offered).to.include.members(Object.keys(screenWords));
  });

  it("finds what they mean first", async () => {
    const page = await openMasks({ masks: [createMask("b")] });
    const field = await palette(page);
    const found: Record<string, string | undefined> = {};
    for (const text of Object.keys(firstResults)) {
      fireEvent.change(field, { target: { value: text } });
      found[text] = screen.getAllByRole("option")[0]?.querySelectorAll("span")[1]?.textContent;
    }
    expect(found).to.deep.equal(firstResults);
  });

  it("offer the code that has just arrived first, and copy it", async () => {
    const code = { code: "482913", sender: "shop.example" };
    const times = {
      receivedAt: new Date().toISOString(),
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
    };
    const page = await openMasks({
      masks: [createMask("b", { description: "Shop", settings: { showCodes: true } })],
      before: ({ server }) => {
        server.on("GET", "/codes", () => ({
          json: { codes: [{ id: "1", maskId: "b", ...times, ...code }] },
        }));
        server.on("DELETE", "/masks/b/codes/1", () => ({ json: null }));
      },
    });
    const field = await palette(page);
    await waitFor(() => expect(options()[0]).to.contain("Copy code 482913"));
    fireEvent.change(field, { target: { value: "code" } });
    expect(options()[0]).to.contain("Copy code 482913");
    await press(page, "{Enter}");
    expect(page.page.clipboard()).to.equal("482913");
  });
});

// `npm run pictures`: writes the pictures of the guide and the README, of a server with made-up masks.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type APIRequestContext, chromium, type Page, request } from "playwright-core";
import { startServer } from "../e2e/support/server.ts";
import { createAccount } from "../e2e/support/visitor.ts";
import { startBrowserServer } from "../support/browserServer.ts";
import { lockWaitMs } from "../support/limits.ts";
import type { Screen } from "../support/screens.ts";
import { tabLink } from "../support/tabLink.ts";

/** The moment that the pages take for now, so that pictures differ only where the product does. */
const now = Date.UTC(2026, 10, 20, 9, 30);
const day = 86_400_000;

interface ShownMask {
  readonly description: string;
  readonly local: string;
  readonly daysOld: number;
  readonly figures: readonly [received: number, blocked: number];
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The newest mask first. */
const shownMasks: readonly ShownMask[] = [
  {
    description: "Bookshop",
    local: "quietharbour",
    daysOld: 2,
    figures: [128, 3],
    body: { labels: ["shops"], pinned: true, note: "Customer number 4711" },
  },
  {
    description: "Concert tickets",
    local: "amberlantern",
    daysOld: 9,
    figures: [14, 0],
    body: {
      labels: ["leisure"],
      // biome-ignore lint/suspicious/noThenProperty: the contract's name
      expiry: { mails: 40, idleDays: 90, then: "disable" },
    },
  },
  {
    description: "Newsletter of the city",
    local: "silverorchard",
    daysOld: 31,
    figures: [212, 17],
    body: { labels: ["news"], active: false, whenOff: "hold" },
  },
  {
    description: "Hiking club",
    local: "copperbrook",
    daysOld: 64,
    figures: [45, 1],
    body: {
      labels: ["leisure", "people"],
      senders: { mode: "approve", allow: ["club.example"], block: ["ads.example"] },
    },
  },
  {
    description: "Phone contract",
    local: "gentlemeadow",
    daysOld: 120,
    figures: [36, 0],
    body: { labels: ["bills"], destinations: ["ada@example.org", "bills@second.example"] },
  },
  {
    description: "Flea market",
    local: "brightpebble",
    daysOld: 200,
    figures: [9, 4],
    body: { labels: ["shops"] },
  },
  {
    description: "Library",
    local: "paperlighthouse",
    daysOld: 310,
    figures: [61, 0],
    body: { labels: ["leisure"] },
  },
];

const labelColors = { shops: "teal", leisure: "purple", news: "amber", people: "blue", bills: "red" };

type Take = (page: Page) => Promise<void>;

const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });

const asRows: Take = async (page) => {
  await page.getByRole("button", { name: "Sort and view" }).click();
  await dialog(page, "Sort and view").getByRole("radio", { name: "Rows" }).check();
  await dialog(page, "Sort and view").getByRole("button", { name: "Done" }).click();
  await dialog(page, "Sort and view").waitFor({ state: "detached" });
  await page.getByRole("table", { name: "Email masks" }).waitFor();
};

const openMenu = async (page: Page, mask: string, item: string): Promise<void> => {
  await page.getByRole("button", { name: `Options for ${mask}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
};

const openEditor = async (page: Page, mask: string, group: string, field: string): Promise<void> => {
  await openMenu(page, mask, "Edit mask");
  await dialog(page, "Edit Mask").locator("summary", { hasText: group }).click();
  await dialog(page, "Edit Mask").getByLabel(field).first().scrollIntoViewIfNeeded();
};

interface Picture {
  readonly file: string;
  readonly screen: Screen & { readonly height: number };
  /** Brings the page from the list of masks to what the picture shows. */
  readonly take: Take;
}

const wide = { theme: "light", width: 1_000, height: 620 } as const;
const narrow = { theme: "light", width: 360, height: 680 } as const;

const list: Take = async () => undefined;

const pictures: readonly Picture[] = [
  { file: "masks-light.png", screen: { ...wide, width: 1_100, height: 670 }, take: list },
  { file: "masks-dark.png", screen: { theme: "dark", width: 1_100, height: 670 }, take: list },
  { file: "masks-narrow.png", screen: narrow, take: list },
  { file: "rows.png", screen: wide, take: asRows },
  {
    file: "labels.png",
    screen: wide,
    take: async (page) => {
      await page.getByRole("button", { name: "Labels", exact: true }).click();
      await dialog(page, "Labels").getByRole("list", { name: "Labels" }).waitFor();
    },
  },
  {
    file: "rename.png",
    screen: narrow,
    take: async (page) => {
      await page.getByRole("link", { name: "Concert tickets", exact: true }).press("F2");
      await page.getByRole("textbox", { name: "Description of Concert tickets" }).waitFor();
    },
  },
  {
    file: "selection.png",
    screen: wide,
    take: async (page) => {
      await page.getByRole("button", { name: "Select", exact: true }).click();
      const boxes = page.getByRole("checkbox", { name: /^Select / });
      await boxes.nth(1).click();
      await boxes.nth(3).click({ modifiers: ["Shift"] });
      await page.getByText("3 of 6 selected").waitFor();
    },
  },
  {
    file: "palette.png",
    screen: wide,
    take: async (page) => {
      await page.getByRole("heading", { level: 1 }).focus();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill("s");
      await page.getByRole("option").first().waitFor();
    },
  },
  {
    file: "expiry.png",
    screen: wide,
    take: (page) => openEditor(page, "Concert tickets", "Lifetime", "What happens then"),
  },
  {
    file: "senders.png",
    screen: narrow,
    take: (page) => openEditor(page, "Hiking club", "Who may write", "Blocked senders"),
  },
  {
    file: "correspondents.png",
    screen: wide,
    take: async (page) => {
      // Real ones are random, so each run would take another picture.
      await page.route(/\/correspondents$/, async (route) => {
        const answer = await route.fetch();
        const { correspondents, ...rest } = (await answer.json()) as {
          readonly correspondents: readonly { readonly id: string; readonly address: string }[];
        };
        const shown = correspondents.map((one) => ({
          ...one,
          reverseAddress: `re-${one.address.replace(/\W/g, "").padEnd(26, "7ka2")}@masks.example.org`,
        }));
        await route.fulfill({ response: answer, json: { ...rest, correspondents: shown } });
      });
      await openMenu(page, "Bookshop", "Write from this mask");
      await dialog(page, "Write from Bookshop").getByRole("list", { name: "Correspondents" }).waitFor();
    },
  },
  {
    file: "addresses.png",
    screen: wide,
    take: async (page) => {
      await tabLink(page, "Settings").click();
      await page.getByRole("link", { name: "Mail", exact: true }).click();
      await page.getByRole("list", { name: "Addresses" }).waitFor();
    },
  },
  {
    file: "deleted.png",
    screen: narrow,
    take: async (page) => {
      await page.getByRole("link", { name: "Deleted masks" }).click();
      await dialog(page, "Deleted masks").getByRole("list", { name: "Deleted masks" }).waitFor();
    },
  },
];

/** The files that `npm run pictures` writes into docs/images. */
export const pictureFiles: readonly string[] = pictures.map(({ file }) => file);

const folder = join(import.meta.dirname, "../../docs/images");

type Server = Awaited<ReturnType<typeof startServer>>;

/** Gives the masks the addresses, times and figures of the pictures, straight in the store. */
const settle = (server: Server): void => {
  const file = readdirSync(server.dataDir).find((name) => name.endsWith(".db")) ?? "";
  const database = new DatabaseSync(join(server.dataDir, file), { timeout: lockWaitMs });
  for (const { description, local, daysOld, figures } of shownMasks) {
    const created = now - daysOld * day;
    const mask = database.prepare("select id from masks where description = ?").get(description);
    const id = String(mask?.["id"]);
    database
      .prepare("update masks set email = ?, created_at = ?, updated_at = ? where id = ?")
      .run(`${local}@masks.example.org`, created, created, id);
    database
      .prepare(
        `update mask_statistics set total_received = ?, total_forwarded = ?, spam_blocked = ?, last_used_at = ?
         where mask_id = ?`,
      )
      .run(figures[0], figures[0] - figures[1], figures[1], now - Math.ceil(daysOld / 3) * day, id);
  }
  database.exec(`update destinations set confirmed_at = ${now - 300 * day}, created_at = ${now - 300 * day}`);
  database.exec(`update masks set expiry_from = ${now} where expiry is not null`);
  database.exec(`update masks set deleted_at = ${now - 5 * day} where description = 'Flea market'`);
  database.close();
};

const fill = async (server: Server) => {
  const kept = await createAccount(server, "ada@example.org");
  const token = kept.origins[0]?.localStorage.find(({ name }) => name === "authToken")?.value ?? "";
  const api: APIRequestContext = await request.newContext({
    baseURL: server.url,
    storageState: kept,
    extraHTTPHeaders: { authorization: `Bearer ${token}` },
  });
  const csrf = (await api.get("/csrf-token")).headers()["x-csrf-token"] ?? "";
  const send = async (path: string, data: object): Promise<{ readonly id: string }> => {
    const answer = await api.post(path, { headers: { "x-csrf-token": csrf }, data });
    if (!answer.ok()) throw new Error(`POST ${path} answered with ${await answer.text()}`);
    return (await answer.json()) as { readonly id: string };
  };
  for (const [name, color] of Object.entries(labelColors)) await send("/labels", { name, color });
  for (const { description, body } of shownMasks.toReversed()) {
    const { id } = await send("/masks", { description, ...body });
    if (description === "Bookshop")
      for (const address of ["orders@bookshop.example", "jo@letters.example"])
        await send(`/masks/${id}/correspondents`, { address });
  }
  await api.dispose();
  settle(server);
  return kept;
};

const takeAll = async (): Promise<void> => {
  const service = await startBrowserServer();
  const server = await startServer({ DEFAULT_TIER: "self_hosted", MASK_DOMAIN: "masks.example.org" });
  const browser = await chromium.connect(service.variables["TEST_BROWSER"] ?? "");
  try {
    const kept = await fill(server);
    for (const { file, screen, take } of pictures) {
      const context = await browser.newContext({
        storageState: kept,
        colorScheme: screen.theme,
        viewport: { width: screen.width, height: screen.height },
        reducedMotion: "reduce",
        serviceWorkers: "block",
        locale: "en-US",
        timezoneId: "UTC",
      });
      await context.clock.install({ time: now });
      const page = await context.newPage();
      await page.goto(server.url);
      await page.getByRole("button", { name: "Options for Bookshop" }).waitFor();
      await take(page);
      await page.screenshot({ path: join(folder, file), caret: "hide" });
      await context.close();
      console.log(file);
    }
  } finally {
    await browser.close();
    await service.stop();
    await server.stop();
    await server.removeData();
  }
};

if (import.meta.main) await takeAll();

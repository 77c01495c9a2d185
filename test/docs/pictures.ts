import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { defaultListSettings } from "../../core/masks/maskListSettings.ts";
import { startServer } from "../e2e/support/server.ts";
import { extensionPictureFiles } from "../pictures/extensionPictures.ts";
import { fillMasks, now } from "../pictures/madeUp.ts";
import { untilComplete, untilStill } from "../pictures/openView.ts";
import { apiTokens, pressKey, webhooks } from "../pictures/views.ts";
import { startBrowserServer } from "../support/browserServer.ts";
import type { Screen } from "../support/screens.ts";
import { tabLink } from "../support/tabLink.ts";

type Take = (page: Page) => Promise<void>;

const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });

const openMenu = async (page: Page, mask: string, item: string): Promise<void> => {
  await page.getByRole("button", { name: `Options for ${mask}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
};

const openEditor = async (page: Page, mask: string, group: string, field: string): Promise<void> => {
  await openMenu(page, mask, "Edit mask");
  await dialog(page, "Edit Mask").locator("summary", { hasText: group }).click();
  await dialog(page, "Edit Mask").getByLabel(field).first().scrollIntoViewIfNeeded();
};

const openPrograms = async (page: Page): Promise<void> => {
  await tabLink(page, "Settings").click();
  await page.getByRole("link", { name: "Programs", exact: true }).click();
};

interface Picture {
  readonly file: string;
  readonly screen: Screen & { readonly height: number };
  /** "cards" without one. Chosen on the device alone: the account would have it for the pictures after this one too. */
  readonly layout?: "rows";
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
  {
    file: "rows.png",
    screen: wide,
    layout: "rows",
    take: (page) => page.getByRole("table", { name: "Email masks" }).waitFor(),
  },
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
      await pressKey("Control+k", (shown) => shown.getByRole("combobox"))(page);
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
      await openMenu(page, "Bookshop", "Reply or write");
      await dialog(page, "Reply or write from Bookshop")
        .getByRole("list", { name: "Correspondents" })
        .waitFor();
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
    file: "tokens.png",
    screen: wide,
    take: async (page) => {
      await apiTokens(page);
      await openPrograms(page);
      await page.getByRole("list", { name: "API tokens" }).waitFor();
    },
  },
  {
    file: "token-form.png",
    screen: narrow,
    take: async (page) => {
      await apiTokens(page);
      await openPrograms(page);
      await page.getByRole("button", { name: "Create API token" }).click();
      await dialog(page, "Create API token").getByRole("textbox", { name: "Program" }).fill("Bitwarden");
    },
  },
  {
    file: "deliveries.png",
    screen: wide,
    take: async (page) => {
      await webhooks(page);
      await openPrograms(page);
      await page.getByRole("button", { name: /^Deliveries: https:\/\/automation/ }).click();
      await dialog(page, /^Deliveries to/)
        .getByRole("list", { name: "Deliveries" })
        .waitFor();
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
export const pictureFiles: readonly string[] = [
  ...pictures.map(({ file }) => file),
  ...extensionPictureFiles,
];

/** What browsers show of the app before it is installed, as its manifest names it. */
export const installPictures: readonly Picture[] = [
  { file: "screenshot-wide.png", screen: { theme: "light", width: 1_280, height: 800 }, take: list },
  { file: "screenshot-narrow.png", screen: { theme: "light", width: 360, height: 720 }, take: list },
];

const root = join(import.meta.dirname, "../..");
const taken = [
  ...pictures.map((picture) => ({ ...picture, folder: join(root, "docs/images") })),
  ...installPictures.map((picture) => ({ ...picture, folder: join(root, "web/public") })),
];

/** Takes the pictures of the guide, the README and the manifest, of a server with made-up masks. */
export const takeGuidePictures = async (): Promise<void> => {
  const service = await startBrowserServer();
  const server = await startServer({ DEFAULT_TIER: "self_hosted", MASK_DOMAIN: "masks.example.org" });
  const browser = await chromium.connect(service.variables["TEST_BROWSER"] ?? "");
  try {
    const kept = await fillMasks(server);
    for (const { file, folder, screen, layout = "cards", take } of taken) {
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
      await page.addInitScript(
        (settings) => localStorage.setItem("maskListSettings", settings),
        JSON.stringify({ ...defaultListSettings, layout }),
      );
      await page.goto(server.url);
      await page.getByRole("button", { name: "Options for Bookshop" }).waitFor();
      await take(page);
      await untilComplete(page);
      // Else the pointer shows a tooltip of what it has pressed.
      await page.mouse.move(0, 0);
      await untilStill(page);
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

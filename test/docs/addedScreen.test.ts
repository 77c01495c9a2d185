import "../support/dom.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { screen, waitFor, within } from "@testing-library/react";
import { expect } from "chai";
import { installDom, useDom } from "../support/jsdom.ts";
import { longTestMs } from "../support/limits.ts";
import type * as Pages from "../web/support/openPage.tsx";
import { screenEdits, screenFiles } from "./notesFeature.ts";
import { copyTree, type TreeCopy } from "./overlay.ts";

const folders = [
  "core",
  "adapters",
  "web",
  "server",
  "test/fakes",
  "test/support",
  "test/data",
  "test/web/support",
];

describe("A screen and a card of the settings that follow their recipe in CONTRIBUTING.md", function () {
  this.timeout(longTestMs);
  useDom();
  let tree: TreeCopy;
  let pages: typeof Pages;

  before(async () => {
    installDom();
    tree = await copyTree(folders, screenEdits, screenFiles);
    pages = (await import(join(tree.path, "test/web/support/openPage.tsx"))) as typeof Pages;
    for (const late of [
      "commands/Keys.tsx",
      "commands/Commands.tsx",
      "MoreMenuPopup.tsx",
      "settings/SettingsTab.tsx",
    ])
      await import(join(tree.path, "web/app", late));
  });
  afterEach(() => pages.closePages());
  after(() => tree.remove());

  const openAt = async (address: string): Promise<Pages.OpenPage> => {
    window.history.replaceState(null, "", address);
    return pages.openPage();
  };

  it("are one entry each, in a file that the page names", async () => {
    const page = await readFile(new URL("../../CONTRIBUTING.md", import.meta.url), "utf8");
    const files = screenEdits.map(({ file }) => file);
    expect(new Set(files).size).to.equal(2);
    for (const file of files) expect(page).to.contain(`\`${file}\``);
  });

  it("are shown at their addresses, with their titles, and the card has the focus", async () => {
    await openAt("/#notes");
    await screen.findByRole("heading", { level: 1, name: "Notes" });
    await waitFor(() => expect(document.title).to.equal("Notes · Bauta"));
    pages.closePages();
    await openAt("/#settings/mail/note-mail");
    const card = await screen.findByRole("article", { name: "Mailed notes" });
    await waitFor(() => expect(document.activeElement).to.equal(within(card).getByRole("heading")));
  });

  it("are in the menu of the navigation and in the palette", async () => {
    const page = await openAt("/");
    await page.press("More");
    const item = await screen.findByRole("menuitem", { name: "Notes" });
    expect(item.getAttribute("href")).to.equal("#notes");
    expect(item.querySelector("svg")).not.to.equal(null);
    await page.user.keyboard("{Escape}{Control>}k{/Control}");
    await screen.findByRole("combobox");
    await page.user.keyboard("note");
    expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).to.deep.equal([
      "Notes",
      "Mailed notesSettings, Mail",
    ]);
    await page.user.keyboard("{ArrowDown}{Enter}");
    await screen.findByRole("article", { name: "Mailed notes" });
    expect(window.location.hash).to.equal("#settings/mail/note-mail");
  });
});

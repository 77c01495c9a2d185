import "../../support/dom.ts";
import { act, screen, waitFor, within } from "@testing-library/react";
import { expect } from "chai";
import { restore, stub } from "sinon";
import { createMask, createUser } from "../../fakes/productServer.ts";
import { useDom } from "../../support/jsdom.ts";
import { beginning, closePages, type OpenPage, openMasks } from "../support/openPage.tsx";
import { openSection } from "../support/openTab.ts";
import { tabLink } from "../support/tabLink.ts";

interface Opening {
  /** The button on the page that leads to the dialog; its name may begin with this. */
  readonly opener: string;
  /** The item of its menu, when it opens one. */
  readonly item?: string;
  readonly dialog: string | RegExp;
  /** The field that has the focus on opening; for none, something in the dialog has it. */
  readonly field?: string | RegExp;
}

/** The dialogs that a button opens, by the tab where it stands. */
const openings: Readonly<Record<string, readonly Opening[]>> = {
  Masks: [
    { opener: "Create Mask", dialog: "Create Mask", field: /^Description/ },
    { opener: "Labels", dialog: "Labels" },
    { opener: "Deleted masks", dialog: "Deleted masks" },
    { opener: "Options for Mask a", item: "Edit mask", dialog: "Edit Mask" },
    { opener: "Options for Mask a", item: "Delete mask", dialog: /Delete/ },
  ],
  Rules: [
    { opener: "Create Rule", dialog: "Create New Rule" },
    { opener: "Add First Rule", dialog: "Create New Rule" },
  ],
  "Settings, Security": [
    { opener: "Setup 2FA", dialog: "Set up two-factor authentication" },
    { opener: "Setup Encryption", dialog: /Encrypt/ },
    { opener: "Open an email", dialog: "Open an email" },
    { opener: "Import a backup", dialog: "Import a backup" },
    { opener: "End session: curl", dialog: /End/ },
    { opener: "End all other sessions", dialog: /End/ },
  ],
  "Settings, Mail": [
    { opener: "Edit: ada@example.org", dialog: /ada@example\.org/ },
    { opener: "Add address", dialog: "Add address", field: /address/i },
  ],
  "Settings, Domains": [
    { opener: "Add domain", dialog: "Add domain", field: "Domain" },
    { opener: "Claim a name at masks.example", dialog: "Claim a name", field: "Name" },
  ],
  "Settings, Programs": [
    { opener: "Create app password", dialog: "Create app password", field: "Program or device" },
  ],
  "Settings, General": [{ opener: "Delete my account", dialog: /Delete/ }],
  Account: [{ opener: "Change email", dialog: /email/i }],
};

const button = (name: string): HTMLElement =>
  screen.queryByRole("link", { name }) ?? screen.getByRole("button", { name: beginning(name) });

const openDialog = (name: string | RegExp): HTMLElement | undefined =>
  ["dialog", "alertdialog"].flatMap((role) => screen.queryAllByRole(role, { name }))[0];

const pressByKey = async (page: OpenPage, name: string): Promise<void> => {
  act(() => button(name).focus());
  await page.user.keyboard("{Enter}");
  await page.act(() => {});
};

const noDialog = (): void => {
  for (const role of ["dialog", "alertdialog"]) expect(screen.queryByRole(role)).to.equal(null);
};

const openTab = async (tab: string): Promise<OpenPage> => {
  const page = await openMasks({
    user: createUser("ada@example.org", { subscription: { tier: "pro", status: "active" } }),
    masks: [createMask("a"), createMask("b")],
  });
  const [name = "", section] = tab.split(", ");
  if (name !== "Masks") await page.user.click(tabLink(name));
  if (section !== undefined) await openSection(page, section);
  await page.act(() => {});
  return page;
};

const focusIs = async (expected: () => Element): Promise<void> => {
  await waitFor(() => expect(document.activeElement?.outerHTML).to.equal(expected().outerHTML));
};

describe("The focus of a dialog", () => {
  useDom();
  afterEach(() => {
    restore();
    closePages();
  });

  for (const [tab, rows] of Object.entries(openings))
    it(`is inside it on opening and on what opened it after Escape: ${tab}`, async () => {
      const page = await openTab(tab);
      for (const { opener, item, dialog, field } of rows) {
        await waitFor(() => button(opener));
        await pressByKey(page, opener);
        if (item !== undefined) {
          await page.user.click(await screen.findByRole("menuitem", { name: item }));
          await page.act(() => {});
        }
        const opened = await waitFor(() => {
          const found = openDialog(dialog);
          if (found === undefined) throw new Error(`${opener} opens no dialog ${dialog}`);
          return found;
        });
        await waitFor(() => expect(opened.contains(document.activeElement), opener).to.equal(true));
        if (field !== undefined)
          expect(within(opened).getAllByLabelText(field), opener).to.include(document.activeElement);
        await page.user.keyboard("{Escape}");
        await waitFor(noDialog);
        await focusIs(() => button(opener));
      }
    });

  it("returns to the content after a dialog that a key opened while nothing had the focus", async () => {
    const page = await openTab("Masks");
    for (const [keys, dialog] of [
      ["?", "Keys and search"],
      ["{Control>}k{/Control}", "Go to"],
      ["n", "Create Mask"],
    ] as const) {
      act(() => (document.activeElement as HTMLElement | null)?.blur());
      await page.user.keyboard(keys);
      const opened = await screen.findByRole("dialog", { name: dialog });
      await waitFor(() => expect(opened.contains(document.activeElement)).to.equal(true));
      await page.user.keyboard("{Escape}");
      await waitFor(noDialog);
      await focusIs(() => screen.getByRole("heading", { name: "Your Email Masks" }));
    }
  });

  it("returns to the button that began when one dialog opens in place of another", async () => {
    const page = await openTab("Settings, Domains");
    await screen.findByRole("button", { name: "Add domain" });
    await pressByKey(page, "Add domain");
    await page.user.keyboard("own.example{Enter}");
    await page.act(() => {});
    await screen.findByRole("dialog", { name: "own.example" });
    await page.user.keyboard("{Escape}");
    await waitFor(noDialog);
    await focusIs(() => button("Add domain"));

    await openSection(page, "Programs");
    await screen.findByRole("button", { name: "Create app password" });
    await pressByKey(page, "Create app password");
    await page.user.keyboard("Thunderbird{Enter}");
    await page.act(() => {});
    await screen.findByRole("alertdialog", { name: "Your app password" });
    await page.press("I have saved it");
    await waitFor(noDialog);
    await focusIs(() => button("Create app password"));
  });

  it("goes to the heading of the part it came from when the dialog removes what opened it", async () => {
    const frames: (FrameRequestCallback | undefined)[] = [];
    stub(window, "requestAnimationFrame").callsFake((run) => frames.push(run) - 1);
    stub(window, "cancelAnimationFrame").callsFake((frame) => {
      frames[frame] = undefined;
    });
    const page = await openTab("Settings, Domains");
    await screen.findByRole("button", { name: "Add domain" });
    await pressByKey(page, "Add domain");
    await page.user.keyboard("own.example{Enter}");
    await page.act(() => {});
    await screen.findByRole("dialog", { name: "own.example" });
    await page.press("Done");
    await waitFor(noDialog);
    await pressByKey(page, "Remove: own.example");
    const question = await screen.findByRole("alertdialog", { name: "Remove own.example?" });
    await page.user.click(within(question).getByRole("button", { name: /^Remove/ }));
    await page.act(() => {});
    await waitFor(noDialog);
    // Those of the first dialog come with those of the second, as where all else is quick.
    for (const run of frames) run?.(0);
    await focusIs(() => screen.getByRole("heading", { name: "Domains" }));
  });
});

import "../../support/dom.ts";
// Lazily loaded by the app; imported here so that loading them takes no time in the test.
import "../../../web/features/account/ImportPanel.tsx";
import "../../../web/features/mailLog/LogPage.tsx";
import "../../../web/features/rules/RuleOverview.tsx";
import "../../../web/features/rules/form/RuleDialog.tsx";
import { type ByRoleMatcher, screen, waitFor } from "@testing-library/react";
import { expect } from "chai";
import { accountListId } from "../../../core/rules/model/rulePlace.ts";
import { createCorrespondent } from "../../fakes/productCorrespondents.ts";
import { createMask } from "../../fakes/productServer.ts";
import { useDom } from "../../support/jsdom.ts";
import { chooseFile } from "../support/chooseFile.ts";
import { beginning, closePages, type OpenPage, openMasks } from "../support/openPage.tsx";

const shop = createMask("quietharbour", { description: "Bookshop" });
const work = createMask("work", { description: "Work", forwardTo: "work@example.net" });

interface Task extends OpenPage {
  readonly pressOn: (role: ByRoleMatcher, name: string | RegExp) => Promise<void>;
  readonly presses: () => number;
}

/** Opens the list of masks and counts what is pressed from there. */
const startTask = async (masks = [shop, work]): Promise<Task> => {
  const page = await openMasks({ masks });
  page.server.on("GET", "/masks/:id/correspondents", {
    json: {
      correspondents: [createCorrespondent("ads", { lastReceived: "2026-11-20T10:00:00.000Z" })],
      more: false,
    },
  });
  page.server.on("GET", "/log", {
    json: {
      settings: { keep: "address", days: 7, encrypted: false },
      mails: [
        {
          id: "entry",
          at: "2026-11-22T10:00:00.000Z",
          direction: "received",
          maskId: shop.id,
          result: "held",
          sealed: null,
          detail: { from: "ads@shop.example", cause: "sender-waits", rules: [] },
          steps: [],
        },
      ],
      more: false,
    },
  });
  let presses = 0;
  return {
    ...page,
    pressOn: async (role, name) => {
      presses += 1;
      await page.user.click(await screen.findByRole(role, { name: beginning(name) }));
      await page.act(() => {});
    },
    presses: () => presses,
  };
};

describe("From the list of masks a user", () => {
  useDom();
  afterEach(closePages);

  it("creates a mask, whose address is copied, with 1 press", async () => {
    const task = await startTask();
    await task.pressOn("button", "Random mask");
    await waitFor(() => expect(task.product.masks()).to.have.lengthOf(3));
    expect(task.presses()).to.equal(1);
  });

  it("copies an address with 1 press", async () => {
    const task = await startTask();
    await task.pressOn("button", /^Copy quietharbour@/);
    expect(task.page.clipboard()).to.equal(shop.maskEmail);
    expect(task.presses()).to.equal(1);
  });

  it("switches a mask off with 1 press", async () => {
    const task = await startTask();
    await task.pressOn("switch", "Bookshop forwards mail");
    await waitFor(() =>
      expect(task.product.masks().find(({ id }) => id === shop.id)?.active).to.equal(false),
    );
    expect(task.presses()).to.equal(1);
  });

  it("finds a mask with 1 press and a few letters", async () => {
    const task = await startTask();
    await task.pressOn("searchbox", "Search masks");
    await task.user.keyboard("book");
    await task.advance(1_000);
    expect(screen.queryByRole("heading", { name: "Work" })).to.equal(null);
    screen.getByRole("heading", { name: "Bookshop" });
    expect(task.presses()).to.equal(1);
  });

  it("sees why a mail was held with 2 presses, and blocks its sender with 1 more", async () => {
    const task = await startTask();
    await task.pressOn("link", "Log");
    await task.pressOn("button", /ads@shop\.example/);
    await screen.findByRole("list", { name: "Why" });
    expect(task.presses()).to.equal(2);
    await task.pressOn("button", "Block sender ads@shop.example");
    screen.getByText("ads@shop.example is blocked");
    expect(task.presses()).to.equal(3);
  });

  it("blocks a sender of a mask with 2 presses, by a figure of the mask", async () => {
    const task = await startTask();
    await task.pressOn("button", "Block a sender at Bookshop");
    await screen.findByRole("dialog", { name: "Block a sender at Bookshop" });
    await task.pressOn("button", "Block sender ads@shop.example");
    screen.getByText("ads@shop.example is blocked");
    expect(task.presses()).to.equal(2);
  });

  it("replies with 2 presses, the second on what has the focus", async () => {
    const task = await startTask();
    await task.pressOn("button", "Reply or write from Bookshop");
    const write = await screen.findByRole("link", { name: "Write to ads@shop.example" });
    await waitFor(() => expect(document.activeElement).to.equal(write));
    expect(write.getAttribute("href")).to.match(/^mailto:re-ads/);
    expect(task.presses(), "and the one on the link").to.equal(1);
  });

  it("comes to the same by the menu of a mask with 2 presses", async () => {
    for (const [item, title, role, name] of [
      ["Block a sender", "Block a sender at Bookshop", "button", "Block sender ads@shop.example"],
      ["Reply or write", /^Reply or write/, "link", "Write to ads@shop.example"],
    ] as const) {
      const task = await startTask();
      await task.pressOn("button", "Options for Bookshop");
      await task.pressOn("menuitem", item);
      await screen.findByRole("dialog", { name: title });
      await screen.findByRole(role, { name });
      expect(task.presses(), item).to.equal(2);
      closePages();
    }
  });

  it("has a mask forward to a second address with 3 presses", async () => {
    const task = await startTask();
    await task.pressOn("button", "Options for Bookshop");
    await task.pressOn("menuitem", "Add destination");
    await task.pressOn("button", "Add work@example.net");
    screen.getByText("Mask updated successfully");
    expect(task.presses()).to.equal(3);
  });

  it("creates a rule for all masks with 4 presses", async () => {
    const task = await startTask();
    await task.pressOn("link", "Rules");
    await task.pressOn("radio", "All rules");
    await task.pressOn("button", "Create Rule");
    await screen.findByRole("dialog", { name: "Create New Rule" });
    await task.user.keyboard("casino");
    await task.pressOn("button", "Save Rule");
    await waitFor(() =>
      expect(task.app.rules.rulesOf(accountListId("before"))).to.have.nested.property("[0].enabled", true),
    );
    expect(task.presses()).to.equal(4);
  });

  it("brings the masks of another service along with 3 presses in the settings' Data", async () => {
    const task = await startTask([]);
    await task.act(() => {
      window.location.hash = "#settings/data";
    });
    const csv = "alias,note,enabled,mailboxes\nx@sl.example,Corner Shop,true,\n";
    await chooseFile(task, "Import masks", new File([csv], "aliases.csv", { type: "text/csv" }));
    await task.pressOn("button", /^Import 1 mask/);
    await screen.findByText(/^1 mask imported/);
    expect(task.presses(), "and the two that open the choice of a file and choose it").to.equal(1);
  });
});

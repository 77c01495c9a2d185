import "../../../../support/dom.ts";
import "../../../../../web/features/masks/MaskDialogs.tsx";
import "../../../../../web/features/masks/list/MaskTable.tsx";
import { fireEvent, screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createMask } from "../../../../fakes/productServer.ts";
import { useDom } from "../../../../support/jsdom.ts";
import { closePages, type OpenPage, openMasks } from "../../../support/openPage.tsx";

// biome-ignore lint/suspicious/noThenProperty: the contract's name
const expiry = { mails: 3, mailsLeft: 2, then: "disable" } as const;

const many = Array.from({ length: 30 }, (_, at) =>
  createMask(`m${at}`, {
    description: `Shop ${30 - at}`,
    created: new Date(Date.UTC(2026, 9, 30 - at)).toISOString(),
    labels: at === 0 ? ["work", "shops"] : [],
    forwardTo: at === 1 ? "home@example.net" : "ada@example.org",
    ...(at === 0 && { note: "Number 4711", expiry }),
  }),
);

const cards = (): string[] =>
  screen.queryAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent ?? "");

const rows = (): string[] => screen.queryAllByRole("rowheader").map(({ textContent }) => textContent ?? "");

const choose = async (page: OpenPage, ...choices: readonly string[]): Promise<void> => {
  await page.press("Sort and view");
  const dialog = await screen.findByRole("dialog", { name: "Sort and view" });
  for (const name of choices) await page.user.click(within(dialog).getByLabelText(name));
  await page.user.click(within(dialog).getByRole("button", { name: "Done" }));
  await page.act(() => {});
};

describe("How the list shows the masks", () => {
  useDom();
  afterEach(closePages);

  it("is five cards, newest first, until the user chooses otherwise", async () => {
    const page = await openMasks({ masks: many });
    expect(cards()).to.deep.equal(["Shop 30", "Shop 29", "Shop 28", "Shop 27", "Shop 26"]);
    await choose(page, "Name", "10");
    expect(cards().slice(0, 3)).to.deep.equal(["Shop 1", "Shop 2", "Shop 3"]);
    expect(cards()).to.have.length(10);
  });

  it("is remembered on the device", async () => {
    const page = await openMasks({ masks: many });
    await choose(page, "Name");
    await page.press("Show as rows");
    expect(rows()).to.have.length(30);
    closePages();
    const { user: _, ...device } = page;
    await openMasks({ ...device, isSignedIn: false });
    expect(rows().slice(0, 2)).to.deep.equal(["Shop 1", "Shop 2"]);
  });

  it("can be rows with chosen columns, a switch and the menu of each mask", async () => {
    const page = await openMasks({ masks: many });
    await page.press("Show as rows");
    await choose(page, "Created", "Received");
    expect(screen.getAllByRole("columnheader").map(({ textContent }) => textContent)).to.deep.equal([
      "Selected",
      "Description",
      "Address",
      "Labels",
      "Forwards to",
      "Received",
      "Forwarded",
      "Blocked",
      "Last email",
      "Created",
      "On or off",
      "Options",
    ]);
    const row = within(screen.getByRole("row", { name: /Shop 30/ }));
    expect(within(row.getByTitle("work, shops")).getByText("work").textContent).to.equal("work");
    within(row.getByTitle("work, shops")).getByText("shops");
    await page.user.click(row.getByRole("button", { name: "Copy m0@masks.example" }));
    expect(page.page.clipboard()).to.equal("m0@masks.example");
    await page.user.click(row.getByRole("switch", { name: "Shop 30 forwards mail" }));
    await page.act(() => {});
    expect(page.product.masks().find(({ id }) => id === "m0")?.active).to.equal(false);
    await page.user.click(row.getByRole("button", { name: "Options for Shop 30" }));
    await screen.findByRole("menuitem", { name: "Edit mask" });
  });

  it("has no column for where mail goes while all of it goes to one address", async () => {
    await openMasks({ masks: many.map((mask) => ({ ...mask, forwardTo: "ada@example.org" })) }).then((page) =>
      page.press("Show as rows"),
    );
    expect(screen.queryByRole("columnheader", { name: "Forwards to" })).to.equal(null);
  });

  it("can have columns for all that a card shows", async () => {
    const page = await openMasks({ masks: many });
    await page.press("Show as rows");
    await choose(page, "Note", "Expires", "Received", "Replied");
    const row = within(screen.getByRole("row", { name: /Shop 30/ }));
    row.getByText("Number 4711");
    row.getByText(/Expires after 2 more emails/);
    const heads = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
    expect(heads).to.include.members(["Note", "Expires", "Forwarded", "Received", "Replied"]);
  });

  it("shows names and addresses alone on a phone, where a press copies too", async () => {
    const page = await openMasks({ masks: many });
    await page.press("Show as rows");
    await page.act(() => page.page.narrow$.set(true));
    expect(screen.getAllByRole("columnheader")).to.have.length(5);
    await page.press("Copy m0@masks.example");
    expect(page.page.clipboard()).to.equal("m0@masks.example");
  });

  it("is sorted by the head of a column, and the other way round by a second press", async () => {
    const page = await openMasks({ masks: many });
    await page.press("Show as rows");
    const head = () => screen.getByRole("columnheader", { name: "Description" });
    const sort = () => within(head()).getByRole("button", { name: "Description" });
    expect(head().getAttribute("aria-sort")).to.equal("none");
    sort().focus();
    await page.user.keyboard("{Enter}");
    expect(head().getAttribute("aria-sort")).to.equal("ascending");
    expect(rows().slice(0, 2)).to.deep.equal(["Shop 1", "Shop 2"]);
    await page.user.keyboard("{Enter}");
    expect(head().getAttribute("aria-sort")).to.equal("descending");
    expect(rows().slice(0, 2)).to.deep.equal(["Shop 30", "Shop 29"]);
  });

  it("is cards again by the same button", async () => {
    const page = await openMasks({ masks: many });
    await page.press("Show as rows");
    expect(rows()).to.have.length(30);
    await page.press("Show as cards");
    expect(cards()).to.have.length(5);
  });

  it("draws the rows near the screen only", async () => {
    const thousand = Array.from({ length: 1_000 }, (_, at) =>
      createMask(`t${at}`, { description: `T ${at}` }),
    );
    const page = await openMasks({ masks: thousand });
    await page.press("Show as rows");
    expect(rows().length).to.be.within(30, 80);
    expect(screen.getByRole("table", { name: "Email masks" }).getAttribute("aria-rowcount")).to.equal("1001");
  });

  it("draws no row again that a scroll leaves near the screen", async () => {
    const thousand = Array.from({ length: 1_000 }, (_, at) =>
      createMask(`t${at}`, { description: `T ${at}` }),
    );
    const page = await openMasks({ masks: thousand });
    await page.press("Show as rows");
    const rowAt = (place: number) => document.querySelector(`tr[aria-rowindex="${place}"]`);
    const [first, kept] = [rowAt(2), rowAt(40)];
    const body = kept?.parentElement;
    if (!first || !body) throw new Error("the rows are not drawn");
    body.getBoundingClientRect = () => new DOMRect(0, -640, 1_000, 32_000);
    fireEvent.scroll(window);
    expect(rowAt(2), "the first row, which is far above the screen").to.equal(null);
    expect(rowAt(60), "a row that has come near the screen").to.not.equal(null);
    expect(rowAt(40)).to.equal(kept);
  });
});

import "../../../support/dom.ts";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import type { LogEntry, LogPage } from "../../../../core/mailLog/logEntry.ts";
import { goTo } from "../../../../web/navigation/goTo.ts";
import { createMask } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, type OpenPage, openMasks } from "../../support/openPage.tsx";

const mask = createMask("quietharbour", { description: "Bookshop" });

const entryOf = (id: string, more: Partial<LogEntry>): LogEntry => ({
  id,
  at: "2026-11-22T10:00:00.000Z",
  direction: "received",
  maskId: mask.id,
  result: "blocked",
  sealed: null,
  detail: { from: "ads@shop.example", cause: "sender-waits", rules: [] },
  steps: [],
  ...more,
});

const openLog = async (...mails: readonly LogEntry[]): Promise<OpenPage> => {
  const page = await openMasks({ masks: [mask] });
  const answer: LogPage = {
    settings: { keep: "address", days: 7, encrypted: false },
    mails,
    more: false,
  };
  page.server.on("GET", "/log", { json: answer });
  await page.act(() => goTo("#log"));
  await screen.findByRole("heading", { name: "Log" });
  await page.act(() => {});
  return page;
};

const lineOf = (name: RegExp): HTMLElement => screen.getByRole("button", { name });

const sendersPut = (page: OpenPage): readonly unknown[] =>
  page.server.requestsTo("PUT /masks/quietharbour/senders/ads%40shop.example").map(({ body }) => body);

describe("A line of the log", () => {
  useDom();
  afterEach(closePages);

  it("says who wrote to which mask, what happened and why in words", async () => {
    await openLog(
      entryOf("rule", {
        detail: {
          from: "ads@shop.example",
          cause: "rule-blocked",
          rule: "r",
          rules: [{ id: "r", name: "Block sales", text: "" }],
        },
      }),
      entryOf("sent", {
        direction: "sent",
        result: "delivered",
        detail: { from: "", to: ["bob@home.example"], cause: "sent" },
      }),
    );
    await screen.findByRole("button", { name: /ads@shop\.example to Bookshop Blocked rule Block sales/ });
    screen.getByRole("button", { name: /Bookshop to bob@home\.example Delivered/ });
  });

  it("opens to its reasons, and blocks or always allows its sender with one press more", async () => {
    const page = await openLog(entryOf("first", { result: "held" }));
    await page.press(/ads@shop\.example to Bookshop Held first-time sender/);
    within(screen.getByRole("list", { name: "Why" })).getByText(/you had not allowed this one yet/);
    expect(screen.queryByRole("button", { name: "Release" })).to.equal(null);
    await page.press("Block sender ads@shop.example");
    screen.getByText("ads@shop.example is blocked");
    await page.press("Always allow ads@shop.example");
    screen.getByText("ads@shop.example is always allowed");
    expect(document.activeElement).to.equal(lineOf(/ads@shop\.example to Bookshop/));
    expect(sendersPut(page)).to.deep.equal([{ list: "block" }, { list: "allow" }]);
    screen.getByRole("button", { name: "Create a rule for mail from ads@shop.example" });
  });

  it("never allows a whole domain where only that is kept of a sender", async () => {
    const page = await openLog(
      entryOf("first", { detail: { from: "shop.example", cause: "sender-waits", rules: [] } }),
    );
    await page.press(/shop\.example to Bookshop/);
    screen.getByRole("button", { name: "Block domain shop.example" });
    expect(screen.queryByRole("button", { name: /^Always allow/ })).to.equal(null);
    screen.getByText("Only the domain of this sender was kept, so no single address can be blocked.");
    await page.user.click(screen.getByRole("link", { name: "Keep addresses" }));
    expect(document.activeElement).to.equal(screen.getByRole("heading", { name: "About the log" }));
  });

  it("offers to try a mail again that failed, and only to show several that are held", async () => {
    const failed: LogEntry["steps"] = [
      { state: "held", at: "2026-11-22T10:00:00.000Z", times: 1, detail: null, sealed: null },
    ];
    const page = await openLog(
      entryOf("one", { result: "held", heldId: "h1", steps: failed }),
      entryOf("several", {
        result: "held",
        steps: failed,
        detail: { from: "news@shop.example", cause: "forwarded", rules: [] },
      }),
    );
    await page.press(/ads@shop\.example to/);
    screen.getByRole("button", { name: "Try again" });
    await page.press(/ads@shop\.example to/);
    await page.press(/news@shop\.example to/);
    screen.getByRole("link", { name: "Show held mail" });
    expect(screen.queryByRole("button", { name: "Try again" })).to.equal(null);
  });

  it("offers to send a held mail, and nothing about the sender of a mail of one's own", async () => {
    const page = await openLog(
      entryOf("held", { result: "held", heldId: "h1" }),
      entryOf("sent", {
        direction: "sent",
        result: "delivered",
        detail: { from: "", to: ["bob@home.example"], cause: "sent" },
      }),
    );
    page.server.on("POST", "/held/:id/release", { json: {} });
    await page.press(/Bookshop to bob/);
    expect(screen.queryByRole("button", { name: /^Block|^Always|^Create a rule/ })).to.equal(null);
    await page.press(/ads@shop/);
    await page.press("Release");
    screen.getByText("The email is being sent");
    expect(document.activeElement).to.equal(lineOf(/ads@shop\.example to Bookshop/));
    expect(page.server.requestsTo("POST /held/h1/release")).to.have.length(1);
  });
});

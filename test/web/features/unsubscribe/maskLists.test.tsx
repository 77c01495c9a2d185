import "../../../support/dom.ts";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import type { MaskUnsubscribeMode } from "../../../../core/mail/unsubscribeMode.ts";
import type { MailingList } from "../../../../core/unsubscribe/listEndpoints.ts";
import { createMask } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, type OpenPage, openMasks } from "../../support/openPage.tsx";

const news: MailingList = {
  id: "list1",
  name: "Daily News",
  address: "news@lists.example",
  leaveBy: "one-click",
  page: "https://lists.example/u",
  unproven: null,
  seen: "2026-11-20T10:00:00.000Z",
  left: null,
};
const byHand: MailingList = { ...news, id: "list2", name: "", address: "shop@shop.example", leaveBy: "page" };

const openMask = async (
  unsubscribe: MaskUnsubscribeMode,
  lists: readonly MailingList[],
): Promise<OpenPage> => {
  const mask = createMask("quietharbour", {
    description: "Bookshop",
    settings: { spamFilter: true, rules: [], unsubscribe },
  });
  const page = await openMasks({
    masks: [mask],
    before: ({ server }) => server.on("GET", "/masks/:id/lists", { json: { lists } }),
  });
  await page.act(() => {
    window.location.hash = "#mask?id=quietharbour";
  });
  await screen.findByRole("heading", { name: "Correspondents" });
  await page.act(() => {});
  return page;
};

describe("The mailing lists of a mask", () => {
  useDom();
  afterEach(closePages);

  it("are listed on its page, each with what it takes to leave it", async () => {
    await openMask("through-mask", [news, byHand]);
    const list = await screen.findByRole("list", { name: "Mailing lists" });
    const [first, second] = within(list).getAllByRole("listitem");
    expect(first?.textContent).to.contain("Daily News").and.contain("news@lists.example");
    within(first ?? list).getByRole("button", { name: "Unsubscribe from Daily News" });
    expect(within(second ?? list).queryByRole("button")).to.equal(null);
    const link = within(second ?? list).getByRole("link", { name: "Open the page of shop@shop.example" });
    expect(link.getAttribute("rel")).to.equal("noreferrer noopener");
  });

  it("are left by a button, which says why when that was not possible", async () => {
    const page = await openMask("through-mask", [news]);
    page.server.on("POST", "/masks/:id/lists/:list/leave", {
      status: 409,
      json: { message: "You are not unsubscribed: the list answered 404." },
    });
    await page.press("Unsubscribe from Daily News");
    await screen.findByText("You are not unsubscribed: the list answered 404.");
    screen.getByRole("link", { name: "Open the page of Daily News" });
    page.server.on("POST", "/masks/:id/lists/:list/leave", {
      json: { ...news, left: "2026-11-21T10:00:00.000Z" },
    });
    await page.press("Unsubscribe from Daily News");
    await screen.findByText("Unsubscribed Nov 21, 2026");
    screen.getByText("Unsubscribed from Daily News");
    expect(screen.queryByRole("button", { name: /^Unsubscribe from/ })).to.equal(null);
  });

  it("are left only after what is sent was seen, where nothing proves it", async () => {
    const unproven = { id: "seen1", to: "leave@elsewhere.example", subject: "leave", text: "Please." };
    const page = await openMask("through-mask", [{ ...news, leaveBy: "mail", unproven }]);
    const sent: string[] = [];
    await page.press("Unsubscribe from Daily News");
    screen.getByText(
      'An email from the mask to leave@elsewhere.example, with the subject "leave" and the text "Please.".',
    );
    await page.press("Cancel");
    const later = { ...unproven, id: "seen2", to: "other@elsewhere.example" };
    page.server.on("GET", "/masks/:id/lists", {
      json: { lists: [{ ...news, leaveBy: "mail", unproven: later }] },
    });
    page.server.on("POST", "/masks/:id/lists/:list/leave", {
      status: 409,
      json: { message: "You are not unsubscribed: look at it." },
    });
    await page.press("Unsubscribe from Daily News");
    await page.press("Send");
    await screen.findByText("You are not unsubscribed: look at it.");
    page.server.on("POST", "/masks/:id/lists/:list/leave", ({ url }) => {
      sent.push(url.split("?")[1] ?? "");
      return { json: { ...news, leaveBy: "mail", left: "2026-11-21T10:00:00.000Z" } };
    });
    await page.press("Unsubscribe from Daily News");
    await screen.findByText(/^An email from the mask to other@elsewhere\.example/);
    expect(sent).to.deep.equal([]);
    await page.press("Send");
    await screen.findByText("Unsubscribed Nov 21, 2026");
    expect(sent).to.deep.equal(["confirmed=seen2"]);
  });

  it("are not asked for while lists are left as they say", async () => {
    const page = await openMask("as-is", [news]);
    expect(screen.queryByRole("heading", { name: "Mailing lists" })).to.equal(null);
    expect(page.server.requestsTo("GET /masks/:id/lists")).to.deep.equal([]);
  });
});

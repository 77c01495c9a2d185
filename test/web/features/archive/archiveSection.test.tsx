import "../../../support/dom.ts";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createMask } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages } from "../../support/openPage.tsx";
import { openTab } from "../../support/openTab.ts";
import { tabLink } from "../../support/tabLink.ts";

const mail = (id: string, archived: string, size = 2_000) => ({
  id,
  maskId: "shop",
  size,
  read: false,
  archived,
});

const newest = [
  mail("m4", "2026-11-20T08:55:10.000Z"),
  mail("m3", "2026-11-20T08:55:10.000Z", 1_200_000),
  mail("m2", "2026-11-20T08:54:50.000Z"),
];

const openArchive = () =>
  openTab("Rules", {
    masks: [createMask("shop")],
    before: ({ server }) =>
      server.on("GET", "/archive", ({ url }) => ({
        json: {
          mails: url.includes("before=m2") ? [mail("m1", "2026-11-19T08:00:00.000Z")] : newest,
          more: !url.includes("before"),
          storage: { used: 1_206_000, limit: 10_000_000 },
        },
      })),
  });

const plain = (text: string | null): string => (text ?? "").replace(/\s/g, " ");

describe("The archive of a mask, in the rules tab", () => {
  useDom();
  afterEach(closePages);

  it("shows the date, time and size of each mail, so that mails of the same hour can be distinguished", async () => {
    await openArchive();
    const names = screen
      .getAllByRole("button", { name: /^Open the email of/ })
      .map((button) => plain(button.getAttribute("aria-label")));
    expect(new Set(names).size).to.equal(3);
    expect(names[1]).to.match(/^Open the email of Nov \d+, 2026, \d+:\d\d:10 [AP]M, 1\.2 MB$/);
    // Some time zones are off by a part of an hour.
    expect(names[1]).to.include(`:${new Date("2026-11-20T08:55:10Z").getMinutes()}:10 `);
  });

  it("lists older mails on request", async () => {
    const page = await openArchive();
    const rows = () =>
      within(screen.getByRole("region", { name: "Archived mail" })).getAllByRole("button", { name: /^Open/ });
    expect(rows()).to.have.length(3);
    await page.press("Show older");
    expect(rows()).to.have.length(4);
    expect(screen.queryByRole("button", { name: "Show older" }), "there are no older ones").to.equal(null);
  });

  it("is no longer fetched once another tab is selected", async () => {
    const page = await openArchive();
    await page.act(() => {
      page.sockets.latest().accept();
      page.sockets.latest().push({ type: "auth_response", data: { success: true } });
    });
    await page.user.click(tabLink("Masks"));
    const requestCount = page.server.requestsTo("GET /archive").length;
    expect(requestCount).to.be.greaterThan(0);
    await page.act(() =>
      page.sockets.latest().push({ type: "data_update", data: { resource: "masks", action: "updated" } }),
    );
    await page.advance(5_000);
    expect(page.server.requestsTo("GET /archive")).to.have.length(requestCount);
  });
});

import "../../../../support/dom.ts";
import "../../../../../web/app/LaterParts.tsx";
import "../../../../../web/features/codes/CodeList.tsx";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createMask } from "../../../../fakes/productServer.ts";
import { useDom } from "../../../../support/jsdom.ts";
import { closePages, openMasks } from "../../../support/openPage.tsx";

const shop = createMask("shop", { description: "Shop", settings: { showCodes: true } });
const other = createMask("other", { description: "Other" });

const codeOf = (id: string, more: object) => ({
  id,
  maskId: "shop",
  receivedAt: new Date(Date.now()).toISOString(),
  expiresAt: new Date(Date.now() + 60_000).toISOString(),
  sender: "shop.example",
  ...more,
});

describe("A code that has arrived", () => {
  useDom();
  afterEach(closePages);

  it("stands on the card of its mask, to copy, with the link that confirms", async () => {
    const codes = [codeOf("1", { code: "482913", link: "https://shop.example/c?t=1" })];
    const page = await openMasks({
      masks: [shop, other],
      before: ({ server }) => {
        server.on("GET", "/codes", () => ({ json: { codes } }));
        server.on("DELETE", "/masks/shop/codes/1", () => ({ json: null }));
      },
    });
    const list = await screen.findByRole("list", { name: "Codes of Shop" });
    expect(list.textContent).to.contain("from shop.example");
    const link = within(list).getByRole("link", { name: "Confirmation link to shop.example" });
    expect(link.getAttribute("href")).to.equal("https://shop.example/c?t=1");
    expect(link.getAttribute("rel")).to.contain("noreferrer");
    await page.user.click(within(list).getByRole("button", { name: "Copy the code 482913" }));
    expect(page.page.clipboard()).to.equal("482913");
    expect(screen.queryByRole("list", { name: "Codes of Other" })).to.equal(null);
  });

  it("names the host that its link opens, in letters that cannot be mistaken", async () => {
    const codes = [codeOf("1", { link: "https://p\u0430ypal.com/c" })];
    await openMasks({
      masks: [shop],
      before: ({ server }) => server.on("GET", "/codes", () => ({ json: { codes } })),
    });
    await screen.findByRole("link", { name: "Confirmation link to xn--pypal-4ve.com" });
  });

  it("is text alone, and no link where its address is none of a page", async () => {
    const codes = [codeOf("1", { code: "<img src=x>", link: "javascript:alert(1)" })];
    await openMasks({
      masks: [shop],
      before: ({ server }) => server.on("GET", "/codes", () => ({ json: { codes } })),
    });
    const list = await screen.findByRole("list", { name: "Codes of Shop" });
    expect(within(list).queryByRole("link")).to.equal(null);
    expect(list.querySelector("img")).to.equal(null);
  });
});

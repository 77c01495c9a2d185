import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { expectAccessible } from "../support/accessible.ts";
import { tabLink } from "../support/tabLink.ts";
import { choose } from "./support/choose.ts";
import { useProduct } from "./support/product.ts";
import { maskCard, openSettings } from "./support/visitor.ts";

const copyButton = (page: Page, description: string): Locator =>
  maskCard(page, description).getByRole("button", { name: /^Copy \S+@\S+$/ });

describe("what the address of a new mask is made of, in a real browser", () => {
  const { visitAs } = useProduct();

  it("is chosen in Settings and for one mask, by keyboard, on a wide and a narrow screen", async () => {
    const visitor = await visitAs("format@example.org");
    const { page } = visitor;
    await openSettings(page, "masks");
    const card = page.getByRole("article", { name: "New masks" });
    await choose(page, card.getByRole("button", { name: "Addresses of new masks" }), "Words");
    await choose(page, card.getByRole("button", { name: "Number of words" }), "5");
    await card.getByRole("button", { name: "Number of words" }).getByText("5").waitFor();
    await expectAccessible(page, "the format of new masks in Settings");

    await tabLink(page, "Masks").press("Enter");
    await page.getByRole("button", { name: "Random mask" }).press("Enter");
    expect(await copyButton(page, "Random mask").getAttribute("aria-label")).to.match(
      /^Copy [a-z]+(-[a-z]+){4}@/,
    );
    // What is typed next names it: a key that is pressed before would go there.
    await page.getByRole("textbox", { name: /^Description of Random mask/ }).press("Escape");

    await page.getByRole("button", { name: "Create Mask" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Create Mask" });
    await dialog.getByRole("textbox", { name: "Description" }).fill("Corner Shop");
    await dialog.getByText("More settings").press("Enter");
    await choose(page, dialog.getByRole("button", { name: "Its address" }), "Letters and digits");
    await choose(page, dialog.getByRole("button", { name: "Number of characters" }), "16");
    await expectAccessible(page, "the format of one mask");
    await dialog.getByRole("button", { name: "Create Mask" }).press("Enter");
    expect(await copyButton(page, "Corner Shop").getAttribute("aria-label")).to.match(/^Copy [b-z2-9]{16}@/);
    expect(visitor.complaints).to.deep.equal([]);
  });
});

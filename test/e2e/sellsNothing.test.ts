import { expect } from "chai";
import type { Page } from "playwright-core";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { codeMailedTo } from "./support/server.ts";
import { createMask } from "./support/visitor.ts";

/** What only a server that sells plans speaks of. */
const sellingWords = /\b(?:subscribe|subscriptions?|plans?|pro|premium|upgrade|(?:un)?limit(?:s|ed)?)\b/i;

/** The type of a rule that the specification calls Limit, and what is no word of the page. */
const otherMeanings = /^(?:Limit|.*@.*)$/;

/** Expects that no line of the page and no name of a control speaks of plans. */
const expectNoSelling = async (page: Page, where: string): Promise<void> => {
  const texts = await page.evaluate(() => [
    document.title,
    ...document.body.innerText.split("\n"),
    ...Array.from(
      document.querySelectorAll("[aria-label], [title], [placeholder], [aria-valuetext]"),
    ).flatMap((one) =>
      ["aria-label", "title", "placeholder", "aria-valuetext"].map((name) => one.getAttribute(name) ?? ""),
    ),
  ]);
  const found = texts.filter((text) => sellingWords.test(text) && !otherMeanings.test(text.trim()));
  expect(found, where).to.deep.equal([]);
};

/** Pages by their addresses, each with a text that it shows when it is there. */
const places = [
  ["#masks", "Your Email Masks"],
  ["#rules", "Rules"],
  ["#insights", "Total received"],
  ["#account", "SecuriScore"],
  ["#settings/account", "Appearance"],
  ["#settings/mail", "Addresses"],
  ["#settings/masks", "New masks"],
  ["#settings/security", "Security Settings"],
  ["#settings/privacy", "AI Features"],
  ["#settings/data", "Export my data"],
  ["#log", "Log"],
  ["#held", "Held mail"],
] as const;

describe("An installation that sells nothing, in a real browser", () => {
  const { server, visit, visitAs } = useProduct(() => ({ DEFAULT_TIER: "self_hosted" }));

  it("speaks of no plans when an account is made", async () => {
    const { page } = await visit();
    await page.getByRole("button", { name: "Create an account" }).waitFor();
    await expectNoSelling(page, "the first page");
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.getByRole("textbox", { name: "Email address" }).fill("new@example.org");
    await expectNoSelling(page, "the address of a new account");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByLabel("Verification code").waitFor();
    await expectNoSelling(page, "the code");
    await page.getByLabel("Verification code").fill(await codeMailedTo(server, "new@example.org"));
    await page.getByRole("heading", { name: "Create your account" }).waitFor();
    await expectNoSelling(page, "the last step");
  });

  it("speaks of no plans on any page or in a dialog of the masks", async () => {
    const { page } = await visitAs("free@example.org");
    const address = await createMask(page, "Corner Shop");
    await sendMail(server, address);
    for (const [hash, text] of places) {
      await page.goto(`${server.url}/${hash}`);
      await page.getByText(text, { exact: true }).filter({ visible: true }).first().waitFor();
      await page.waitForLoadState("networkidle");
      await expectNoSelling(page, hash);
    }
    for (const hash of ["#masks/new", "#masks/deleted", "#masks/labels"]) {
      await page.goto(`${server.url}/${hash}`);
      await page.getByRole("dialog").waitFor();
      for (const more of await page.getByText("More settings").all()) await more.click();
      await expectNoSelling(page, hash);
      await page.goto(`${server.url}/#masks`);
    }
    await page.getByRole("button", { name: /Notifications/ }).click();
    await expectNoSelling(page, "the notifications");
  });
});

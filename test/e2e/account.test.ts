import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { codeAt } from "../server/support/authenticator.ts";
import { expectAccessible } from "../support/accessible.ts";
import { fourScreens } from "../support/screens.ts";
import { sellingSettings } from "../support/stripeStandIn.ts";
import { tabLink } from "../support/tabLink.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { createMask, openSettings, shownSecret } from "./support/visitor.ts";

const meter = (page: Page, name: string): Locator => page.getByRole("meter", { name });
const waitForMeter = (page: Page, name: string, text: string): Promise<void> =>
  page.locator(`[role=meter][aria-valuetext="${text}"]`).and(meter(page, name)).waitFor();

describe("the account tab, in a real browser", () => {
  const { server, visitAs } = useProduct(() => sellingSettings);
  it("shows how well the account is protected and links to what is missing, on a wide and a narrow screen", async () => {
    const visitor = await visitAs("safe@example.org");
    const { page } = visitor;
    const account = tabLink(page, "Account");
    await account.click();
    await waitForMeter(page, "SecuriScore", "50 of 100 points");
    await waitForMeter(page, "Masks", "0 of 2 masks");
    await waitForMeter(page, "Emails this month", "0 of 100 emails");
    const tips = page.getByRole("list", { name: "Improve your score:" }).getByRole("link");
    expect(await tips.allInnerTexts()).to.have.length(3);
    await expectAccessible(page, "the account tab", fourScreens);
    await page.getByRole("link", { name: /two-factor authentication/ }).press("Enter");
    const security = page.getByRole("heading", { name: "Security Settings" });
    await security.waitFor();
    expect(await security.evaluate((heading) => heading === document.activeElement)).to.equal(true);
    expect(visitor.complaints).to.deep.equal([]);
  });

  it("updates without a reload when masks, mail or a second factor change on another page", async () => {
    const visitor = await visitAs("live@example.org");
    const { page } = visitor;
    await tabLink(page, "Account").click();
    await waitForMeter(page, "SecuriScore", "50 of 100 points");

    const other = await visitor.context.newPage();
    await other.goto(server.url);
    const mask = await createMask(other, "First");
    await createMask(other, "Second");
    await waitForMeter(page, "SecuriScore", "52 of 100 points");
    await waitForMeter(page, "Masks", "2 of 2 masks");
    await sendMail(server, mask);
    await waitForMeter(page, "Emails this month", "1 of 100 emails");

    await openSettings(other, "security");
    await other.getByRole("button", { name: "Setup 2FA" }).click();
    await other.getByRole("button", { name: "Continue" }).click();
    const secret = await shownSecret(other);
    await other.getByRole("textbox", { name: "Verification code" }).fill(codeAt(secret, Date.now()));
    await other.getByRole("button", { name: "Verify & Activate" }).click();
    await waitForMeter(page, "SecuriScore", "67 of 100 points");
    expect(visitor.complaints).to.deep.equal([]);
  });

  it("animates the ring for 1 s, and not at all under reduced motion", async () => {
    const visitor = await visitAs("motion@example.org");
    const { page } = visitor;
    const moves = async (): Promise<unknown> => {
      await tabLink(page, "Account").click();
      await meter(page, "SecuriScore").waitFor();
      const times = await meter(page, "SecuriScore").evaluate((ring) =>
        ring.getAnimations({ subtree: true }).map((one) => one.effect?.getComputedTiming().duration),
      );
      await tabLink(page, "Masks").click();
      return times;
    };
    expect(await moves()).to.deep.equal([]);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    expect(await moves()).to.deep.equal([1_000]);
  });
});

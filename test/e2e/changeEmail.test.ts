import { expect } from "chai";
import type { Page } from "playwright-core";
import { until } from "../server/support/until.ts";
import { expectAccessible } from "../support/accessible.ts";
import { tabLink } from "../support/tabLink.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { codeMailedTo, outboxOf } from "./support/server.ts";
import { createMask, skipKeySetup } from "./support/visitor.ts";

const openAccount = async (page: Page): Promise<void> => {
  await tabLink(page, "Account").click();
  await page.getByRole("heading", { name: "Account details" }).waitFor();
};

describe("a new address for the account, in a real browser", () => {
  const { server, visit, visitAs } = useProduct();

  it("is shown on every page and signs in again, on a wide and a narrow screen", async () => {
    const [old, fresh] = ["old", "new"].map((name) => `${name}@example.org`) as [string, string];
    const here = await visitAs(old);
    const { page } = here;
    const mask = await createMask(page, "Corner Shop");
    const otherTab = await here.context.newPage();
    await otherTab.goto(server.url);
    await openAccount(otherTab);
    const away = await visit();
    await away.page.getByRole("textbox", { name: "Email address" }).fill(old);
    const seen = new Set([await codeMailedTo(server, old)]);
    await away.page.getByRole("button", { name: "Log in" }).click();
    await away.page
      .getByRole("textbox", { name: "Verification code" })
      .fill(await codeMailedTo(server, old, seen));
    await skipKeySetup(away.page);
    await openAccount(away.page);

    await openAccount(page);
    await page.getByRole("button", { name: "Change email" }).press("Enter");
    const question = page.getByRole("dialog", { name: "Change your email" });
    await question.getByRole("textbox", { name: "New email address" }).fill(fresh);
    await expectAccessible(page, "the new address");
    await page.keyboard.press("Enter");
    const code = question.getByRole("textbox", { name: "Verification code" });
    await code.waitFor();
    await expectAccessible(page, "the code of the new address");
    await code.fill(await codeMailedTo(server, fresh));
    await page.keyboard.press("Enter");
    await page.getByText(`The address of your account is now ${fresh}`).waitFor();
    for (const follower of [page, otherTab, away.page])
      await follower.getByRole("region", { name: "Account details" }).getByText(fresh).waitFor();
    expect(await otherTab.evaluate(() => localStorage.getItem("userEmail"))).to.equal(fresh);
    expect(await away.page.evaluate(() => localStorage.getItem("userEmail"))).to.equal(fresh);
    const notices = async () =>
      (await outboxOf(server)).filter(
        (mail) => mail.includes(`X-Outbox-To: ${old}`) && mail.includes("Bauta account was changed"),
      );
    await until("the old address is told", async () => (await notices()).length > 0);
    expect(await notices()).to.have.length(1);

    await sendMail(server, mask);
    await tabLink(page, "Masks").click();
    await page.getByText(fresh).first().waitFor();
    await otherTab.close();
    await tabLink(page, "Account").click();
    await page
      .getByRole("region", { name: "Account details" })
      .getByRole("button", { name: "Log Out" })
      .click();
    await page.getByRole("textbox", { name: "Email address" }).fill(fresh);
    const used = new Set([await codeMailedTo(server, fresh)]);
    await page.getByRole("button", { name: "Log in" }).click();
    await page
      .getByRole("textbox", { name: "Verification code" })
      .fill(await codeMailedTo(server, fresh, used));
    await skipKeySetup(page);
    await page.getByRole("heading", { name: "Corner Shop" }).waitFor();
    const arrived = (await outboxOf(server)).filter(
      (mail) => mail.includes(`X-Outbox-To: ${fresh}`) && mail.includes("Your order is on its way"),
    );
    expect(arrived, "mail to the mask goes to the new address").to.have.length(1);
    expect([...here.complaints, ...away.complaints]).to.deep.equal([]);
  });
});

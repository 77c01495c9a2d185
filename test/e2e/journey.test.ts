import { expect } from "chai";
import { settingsSections } from "../../web/app/settings/settingsSections.ts";
import { expectAccessible } from "../support/accessible.ts";
import { fourScreens, screenOf } from "../support/screens.ts";
import { tabLink } from "../support/tabLink.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { mailInOutbox, startServer } from "./support/server.ts";
import { maskCard, openSettings, signOut, signUp, storedAfterLogout } from "./support/visitor.ts";

describe("from sign-up to a forwarded mail, in a real browser", () => {
  const { server, visit } = useProduct();
  it("a new user signs up, creates a mask and receives mail on a wide and a narrow screen, with every page accessible", async () => {
    const visitor = await visit();
    const { page } = visitor;
    const email = "newcomer@example.org";
    const look = (where: string): Promise<void> => expectAccessible(page, where, fourScreens);

    await signUp(visitor, server, email, look);
    await page.getByText("You don't have any email masks yet.").waitFor();
    await look("the empty masks tab");

    await page.getByRole("button", { name: "Create Mask" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Create Mask" });
    await dialog.getByRole("textbox", { name: "Description" }).fill("Corner Shop");
    await look("the new mask's form");
    await dialog.getByRole("button", { name: "Create Mask" }).click();
    await page.getByText("Mask created successfully").waitFor();
    const card = maskCard(page, "Corner Shop");
    await card.waitFor();
    const copy = await card.getByRole("button", { name: "Copy " }).getAttribute("aria-label");
    const address = copy?.replace("Copy ", "") ?? "";
    expect(address).to.match(/^[a-z0-9]+@masks\.localhost$/);

    const figure = (label: string) => card.getByRole("term").filter({ hasText: label }).locator("xpath=..");
    await card.getByText("No mail yet").waitFor();
    await sendMail(server, address);
    await figure("Emails received").getByText("1", { exact: true }).waitFor();
    await figure("Forwarded").getByText("1", { exact: true }).waitFor();
    await look("the masks tab with mail");

    const mine = await mailInOutbox(server, `X-Bauta-Mask: ${address}`);
    expect(mine).to.contain(`X-Outbox-To: ${email}`).and.to.contain("Subject: Your order is on its way");
    expect(mine.replace(/\r\n[ \t]/g, " ")).to.match(
      /^From: "Corner Shop - orders at shop\.example\.org" <re-[a-z2-7]{32}@masks\.localhost>\r$/m,
    );

    await card.getByRole("button", { name: "Options for Corner Shop" }).click();
    await page.getByRole("menuitem", { name: "Reply or write" }).click();
    const correspondents = page.getByRole("dialog", { name: "Reply or write from Corner Shop" });
    await correspondents.getByRole("link", { name: "Write to orders@shop.example.org" }).waitFor();
    await look("the correspondents of the mask");
    await correspondents.getByRole("button", { name: "Close" }).click();
    await correspondents.waitFor({ state: "detached" });

    await page.reload();
    await card.waitFor();
    expect(await page.locator("html").getAttribute("data-theme")).to.equal((await screenOf(page)).theme);

    for (const tab of ["Rules", "Insights", "Settings", "Account"]) {
      await tabLink(page, tab).click();
      await page.getByRole("main", { name: tab }).getByRole("heading").first().waitFor();
      await look(`the ${tab} tab`);
    }

    for (const { path } of settingsSections) {
      await openSettings(page, path[1]);
      await look(`the settings, ${path[1]}`);
    }

    await openSettings(page, "programs");
    await page.getByText("This server does not accept mail from mail programs").waitFor();
    expect(await page.getByRole("button", { name: "Create app password" }).count()).to.equal(0);

    await signOut(page);
    expect(new URL(page.url()).pathname).to.equal("/login");
    const stored = await storedAfterLogout(page);
    expect(stored.filter((key) => key !== "theme")).to.deep.equal([]);
    expect(visitor.complaints).to.deep.equal([]);
  });

  it("the outbox shows the forwarded mail, on this machine only", async () => {
    const visitor = await visit();
    const { page } = visitor;
    await page.goto(`${server.url}/outbox`);
    await page
      .getByRole("link", { name: /Your order is on its way/ })
      .first()
      .click();
    await page.getByText("It should reach you on Tuesday.").waitFor();
    await expectAccessible(page, "a mail in the outbox");
    const elsewhere = await fetch(`${server.url}/outbox`, { headers: { "x-forwarded-for": "192.0.2.1" } });
    expect(elsewhere.status).to.equal(404);
  });

  it("the server stops cleanly on SIGTERM, in time, with exit code 0", async () => {
    const short = await startServer();
    expect(await short.stop("SIGTERM")).to.equal(0);
    await short.removeData();
  });
});

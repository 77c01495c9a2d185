import { expect } from "chai";
import { until } from "../server/support/until.ts";
import { expectAccessible } from "../support/accessible.ts";
import { choose } from "./support/choose.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { mailInOutbox, outboxOf } from "./support/server.ts";
import { createMask, downloadedText, openSettings } from "./support/visitor.ts";

const passphrase = "seven quiet boats leave at noon";

describe("mail that stays in the app, in a real browser", () => {
  const { server, visitAs } = useProduct();

  it("needs a key, is found, read, answered, exported and deleted, and is there without a network", async () => {
    const visitor = await visitAs("reader@example.org");
    const { page } = visitor;
    const address = await createMask(page, "Corner Shop");

    const keepIt = async (): Promise<void> => {
      await page.getByRole("button", { name: "Options for Corner Shop" }).press("Enter");
      await page.getByRole("menuitem", { name: "Edit mask" }).press("Enter");
      const form = page.getByRole("dialog", { name: "Edit mask" });
      await choose(page, form.getByRole("button", { name: "Its mail" }), /^Stays in the app for 30 days/);
      await form.getByRole("button", { name: "Save" }).press("Enter");
    };
    await keepIt();
    const form = page.getByRole("dialog", { name: "Edit mask" });
    await form
      .getByText(/Set up a key in Settings/)
      .first()
      .waitFor();
    await expectAccessible(page, "the form of a mask that needs a key");
    await form.getByRole("button", { name: "Cancel" }).press("Enter");
    await page.getByRole("button", { name: "Discard" }).press("Enter");

    await openSettings(page, "security");
    const card = page.getByRole("article", { name: "Email Encryption" });
    await card.getByRole("button", { name: "Setup Encryption" }).click();
    await page.getByRole("button", { name: "Generate Encryption Keys" }).click();
    await page.getByLabel("Passphrase for the backup").fill(passphrase);
    await page.getByLabel("Passphrase again").fill(passphrase);
    const backup = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download backup" }).click();
    await downloadedText(await backup);
    await page.getByRole("checkbox", { name: /I have saved the backup/ }).check({ force: true });
    await page.getByRole("button", { name: "Switch on encryption" }).click();
    await card.getByText("Configured", { exact: true }).waitFor();

    await page.goto(`${server.url}/#masks`);
    await keepIt();
    await form.waitFor({ state: "hidden" });
    await page.getByText("Its mail stays in the app").waitFor();

    await page.goto(`${server.url}/#mailbox`);
    await page.getByText("No mail in the app yet").waitFor();
    await expectAccessible(page, "no mail in the app");
    await sendMail(server, address);
    const list = page.getByRole("list", { name: "Mail in the app" });
    const mail = list.getByRole("listitem", { name: "Your order is on its way" });
    await mail.getByText("Unread").waitFor();
    await mail.getByText("Kept until").waitFor();
    expect((await outboxOf(server)).filter((one) => one.includes("X-Bauta-Mask"))).to.deep.equal([]);
    await expectAccessible(page, "mail in the app");

    const search = page.getByRole("searchbox", { name: "Search in opened mail" });
    await search.fill("tuesday");
    await page.getByText("1 found.").waitFor();
    await search.fill("wednesday");
    await page.getByText("No mail found.").waitFor();
    await search.fill("");

    await mail.getByRole("button", { name: "Read", exact: true }).press("Enter");
    const reader = page.getByRole("dialog", { name: "Mail" });
    await reader.getByText("It should reach you on Tuesday.").waitFor();
    await expectAccessible(page, "a mail in the app that is read");
    await reader.getByRole("button", { name: "Answer" }).press("Enter");
    const answer = page.getByRole("dialog", { name: "Answer" });
    const text = answer.getByRole("textbox", { name: "Your answer" });
    expect(await text.inputValue()).to.contain("> It should reach you on Tuesday.");
    await text.fill("Thank you, that suits me.");
    await expectAccessible(page, "an answer");
    await answer.getByRole("button", { name: "Send" }).press("Enter");
    await page.getByText("Your answer is being sent").waitFor();
    const sent = await mailInOutbox(server, "X-Outbox-To: orders@shop.example.org");
    expect(sent).to.contain(`From: <${address}>`).and.not.to.contain("reader@");
    await mail.getByText("Unread").waitFor({ state: "detached" });

    const exported = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export as mbox" }).press("Enter");
    expect(await downloadedText(await exported)).to.match(/^From MAILER-DAEMON .*\n[\s\S]*BEGIN PGP MESSAGE/);

    await page.context().setOffline(true);
    await until("the page knows that it is offline", () =>
      mail.getByRole("button", { name: "Delete" }).isDisabled(),
    );
    await mail.getByRole("button", { name: "Read", exact: true }).press("Enter");
    await reader.getByText("It should reach you on Tuesday.").waitFor();
    await page.keyboard.press("Escape");
    await page.context().setOffline(false);
    await until("the page is online", () => mail.getByRole("button", { name: "Delete" }).isEnabled());

    await mail.getByRole("button", { name: "Delete" }).press("Enter");
    const question = page.getByRole("alertdialog", { name: "Delete this email?" });
    await question.getByText(/is kept nowhere else/).waitFor();
    await question.getByRole("button", { name: "Delete" }).press("Enter");
    await page.getByText("No mail in the app yet").waitFor();
    expect(visitor.complaints.filter((text) => !/ERR_INTERNET_DISCONNECTED/.test(text))).to.deep.equal([]);
  });
});

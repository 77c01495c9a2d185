import { expect } from "chai";
import { expectAccessible } from "../support/accessible.ts";
import { choose } from "./support/choose.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { createMask, downloadedText, openSettings, pressUntil, setUpKey } from "./support/visitor.ts";

const passphrase = "seven quiet boats leave at noon";
const kept = "The log keeps of each email: time, mask, sender or recipients, size";

describe("the log, in a real browser", () => {
  const { server, visitAs } = useProduct();

  it("is switched on, fills live, explains, is searched, exported and switched off by keyboard, on a wide and a narrow screen", async () => {
    const visitor = await visitAs("log@example.org");
    const { page } = visitor;
    const look = (where: string): Promise<void> => expectAccessible(page, where);
    const address = await createMask(page, "Corner Shop");
    await openSettings(page, "mail");
    await page.getByRole("link", { name: "Show the log" }).press("Enter");
    await page.getByRole("heading", { name: "The log is off" }).waitFor();
    await page.getByText(kept).waitFor();
    await page.getByText("entries are kept").waitFor();
    await look("the log that is off");
    await choose(page, page.getByRole("button", { name: /What is kept of senders/ }), /Their address/);
    await page.getByRole("button", { name: "Switch on the log" }).press("Enter");
    await page.getByText("No mail yet").waitFor();
    await look("the empty log");

    await sendMail(server, address);
    const entry = page.getByRole("listitem").filter({ hasText: "orders@shop.example.org" });
    await entry.getByText("Delivered").waitFor();
    const line = entry.getByRole("button", { name: /orders@shop\.example\.org to Corner Shop Delivered/ });
    await look("an entry of the log");
    await line.press("Enter");
    await entry.getByText(address).waitFor();
    const why = entry.getByRole("list", { name: "Why" });
    await why.getByText("No rule or setting stopped it, so it was forwarded.").waitFor();
    await why.getByText("No rule applied.").waitFor();
    await entry.getByText(/Delivered to/).waitFor();
    await look("the explanation of an entry");
    await entry.getByRole("button", { name: "Block sender orders@shop.example.org" }).press("Enter");
    await entry.getByRole("button", { name: "Unblock sender orders@shop.example.org" }).press("Enter");
    await entry.getByRole("button", { name: "Block sender orders@shop.example.org" }).waitFor();
    await line.press("Enter");
    await why.waitFor({ state: "hidden" });

    const search = page.getByRole("searchbox", { name: "Search the log" });
    await search.fill("nothing like it");
    await page.getByText("Nothing found").waitFor();
    await page.waitForURL(/#log\?.*search=nothing/);
    await page.reload();
    await page.getByText("Nothing found").waitFor();
    await search.fill("");
    await entry.waitFor();
    await page.getByRole("button", { name: /Result$/ }).press("Enter");
    await page.getByRole("option", { name: "Blocked" }).press("Enter");
    await page.getByText("Nothing found").waitFor();
    await page.goBack();
    await entry.waitFor();
    await page.getByRole("button", { name: /Direction$/ }).press("Enter");
    await page.getByRole("option", { name: "Sent", exact: true }).press("Enter");
    await page.waitForURL(/direction=sent/);
    await page.getByText("Nothing found").waitFor();
    await page.goBack();
    await entry.waitFor();

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export as CSV" }).press("Enter"),
    ]);
    expect(await downloadedText(download)).to.contain(`${address},Delivered,orders@shop.example.org`);

    await page.getByRole("button", { name: "Switch off the log" }).press("Enter");
    const question = page.getByRole("alertdialog", { name: "Switch off the log?" });
    await look("the question before the log is switched off");
    await question.getByRole("button", { name: "Switch off and delete" }).press("Enter");
    await page.getByRole("heading", { name: "The log is off" }).waitFor();
    await question.waitFor({ state: "hidden" });
    expect(visitor.complaints).to.deep.equal([]);
  });

  it("is read with the key of the device, and says what it cannot read once the key is gone", async () => {
    const visitor = await visitAs("log.private@example.org");
    const { page } = visitor;
    const address = await createMask(page, "Corner Shop");
    await openSettings(page, "security");
    const card = page.getByRole("article", { name: "Email Encryption" });
    await setUpKey(card, passphrase);

    await openSettings(page, "mail");
    await page.getByRole("link", { name: "Show the log" }).click();
    await page.getByText("Senders, recipients, reasons and answers are encrypted to your key").waitFor();
    await page.getByRole("button", { name: "Switch on the log" }).click();
    await page.getByText("No mail yet").waitFor();
    await sendMail(server, address);
    const entry = page.getByRole("listitem").filter({ hasText: "Corner Shop" });
    await entry.getByRole("heading", { name: "shop.example.org" }).waitFor();
    await entry.getByRole("button", { name: /to Corner Shop/ }).click();
    await page.getByText("No rule or setting stopped it, so it was forwarded.").waitFor();
    await page.getByText(/Delivered to/).waitFor();
    await page.getByRole("searchbox", { name: "Search the log" }).fill("SHOP.example");
    await page.waitForURL(/search=SHOP/);
    await entry.waitFor();

    await openSettings(page, "security");
    await card.getByRole("button", { name: "Remove from this device" }).click();
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: /Remove/ })
      .click();
    await card.getByText(/The private key is on another device/).waitFor();
    await openSettings(page, "mail");
    await page.getByRole("link", { name: "Show the log" }).click();
    await page.reload();
    await page.getByText("1 entry is encrypted to a key that is not on this device.").waitFor();
    await entry.getByRole("heading", { name: "Encrypted" }).waitFor();
    await expectAccessible(page, "the log that cannot be read");
    expect(visitor.complaints).to.deep.equal([]);
  });

  it("has a page for each mask with its figures, correspondents and history, by keyboard, on a wide and a narrow screen", async () => {
    const visitor = await visitAs("mask.page@example.org");
    const { page } = visitor;
    const address = await createMask(page, "Corner Shop");
    await page.getByRole("button", { name: "Options for Corner Shop" }).press("Enter");
    await page.getByRole("menuitem", { name: "Open" }).press("Enter");
    await page.getByRole("heading", { name: "Corner Shop", level: 1 }).waitFor();
    await page.getByText("Give this address to a site or a person").waitFor();
    await page.getByText("No correspondents yet. People who write to this mask appear here.").waitFor();
    await page.getByRole("link", { name: "Switch on the log" }).press("Enter");
    await page.getByRole("heading", { name: "The log is off" }).waitFor();
    await page.getByRole("button", { name: "Switch on the log" }).press("Enter");
    await page.getByText("No mail yet").waitFor();
    await page.goBack();
    await page.getByText("No mail in the log yet.").waitFor();
    await sendMail(server, address);
    const history = page.getByRole("region", { name: "History" });
    await history.getByRole("heading", { name: "shop.example.org" }).waitFor();
    await history.getByText("Delivered").waitFor();
    await expectAccessible(page, "the page of a mask");
    await page.reload();
    await history.getByRole("heading", { name: "shop.example.org" }).waitFor();
    await page
      .getByRole("list", { name: "Correspondents" })
      .getByText("Corner Shop (orders@shop.example.org)")
      .waitFor();
    await page.getByRole("button", { name: "Change" }).press("Enter");
    const editor = page.getByRole("dialog", { name: "Edit Mask" });
    await editor.getByRole("textbox", { name: "Blocked senders" }).waitFor();
    await expectAccessible(page, "who may write, from the page of a mask");
    await page.keyboard.press("Escape");
    await editor.waitFor({ state: "hidden" });
    await page.getByRole("heading", { name: "Corner Shop", level: 1 }).waitFor();
    // The section is shown anew when the figures arrive.
    const form = page.getByRole("dialog", { name: "Create New Rule" });
    await pressUntil(page.getByRole("link", { name: "New rule" }), form);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /Corner Shop/ }).waitFor();
    expect(visitor.complaints).to.deep.equal([]);
  });
});

import { expect } from "chai";
import { expectAccessible } from "../support/accessible.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { mailInOutbox } from "./support/server.ts";
import { createMask } from "./support/visitor.ts";

describe("held mail that is read and decided about together, in a real browser", () => {
  const { server, visitAs } = useProduct();

  it("is read before it is released, named by its mask; several are deleted and released at once", async () => {
    const visitor = await visitAs("reader@example.org");
    const { page } = visitor;
    const address = await createMask(page, "Corner Shop");
    await page.getByRole("button", { name: "Options for Corner Shop" }).press("Enter");
    await page.getByRole("menuitem", { name: "Rules", exact: true }).press("Enter");
    await page.getByRole("button", { name: "Create Rule" }).press("Enter");
    const form = page.getByRole("dialog", { name: "Create New Rule" });
    await form.getByRole("textbox", { name: "Condition 1: value" }).fill("order");
    await form.getByRole("button", { name: "Action 1: what happens" }).click();
    await page.getByRole("option", { name: "Hold for my decision" }).click();
    await form.getByRole("button", { name: "Save Rule" }).click();
    await page.getByText("Rule created successfully").first().waitFor();
    await page.getByRole("listitem", { name: "Hold for my decision if subject contains order" }).waitFor();
    for (let mail = 0; mail < 3; mail += 1) await sendMail(server, address);

    await page.goto(`${server.url}/#held`);
    const list = page.getByRole("list", { name: "Held mail" });
    await list.getByRole("listitem").nth(2).waitFor();
    const first = list.getByRole("listitem").first();
    await first.getByRole("button", { name: /to Corner Shop/ }).press("Enter");
    await first.getByText(`Corner Shop (${address})`).waitFor();
    const read = first.getByRole("button", { name: "Read" });
    await read.press("Enter");
    const reader = page.getByRole("dialog", { name: "Held mail" });
    await reader.getByText("It should reach you on Tuesday.").waitFor();
    await expectAccessible(page, "a held mail that is read");
    await page.keyboard.press("Escape");
    await reader.waitFor({ state: "hidden" });
    expect(await read.evaluate((button) => button === document.activeElement)).to.equal(true);

    await list.getByRole("checkbox").first().check();
    const bar = page.getByRole("region", { name: "Selected mail" });
    await bar.getByText("1 selected", { exact: true }).waitFor();
    await bar.getByRole("button", { name: "More for what is selected" }).click();
    await page.getByRole("menuitem", { name: "Delete selected" }).click();
    await page
      .getByRole("alertdialog", { name: "Delete 1 email?" })
      .getByRole("button", { name: "Delete" })
      .click();
    await list.getByRole("listitem").nth(2).waitFor({ state: "detached" });
    await page.getByRole("checkbox", { name: "Select all" }).check();
    await bar.getByText("2 selected", { exact: true }).waitFor();
    await expectAccessible(page, "held mail that is selected");
    await bar.getByRole("button", { name: "Release selected" }).click();
    await page
      .getByRole("alertdialog", { name: "Release 2 emails?" })
      .getByRole("button", { name: "Release" })
      .click();
    await page.getByText("2 emails are being sent").first().waitFor();
    await page.getByText("No mail is held").waitFor();
    expect(await mailInOutbox(server, `X-Bauta-Mask: ${address}`)).to.contain(
      "It should reach you on Tuesday.",
    );
    expect(visitor.complaints).to.deep.equal([]);
  });
});

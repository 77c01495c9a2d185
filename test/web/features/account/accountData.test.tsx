import "../../../support/dom.ts";
// Lazily loaded by the app; imported here so that loading them takes no time in the test.
import "../../../../web/features/account/DeleteAccountDialog.tsx";
import "../../../../web/features/account/ImportPanel.tsx";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createMask, createUser } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { chooseFile } from "../../support/chooseFile.ts";
import { beginning, closePages } from "../../support/openPage.tsx";
import { openSettings } from "../../support/openTab.ts";
import { described } from "../../support/signIn.ts";

const csv =
  "alias,note,enabled,mailboxes\nx@sl.example,Corner Shop,true,\ny@sl.example,News,false,\nz@sl.example,Third,true,\n";

describe("The data of the account in the settings", () => {
  useDom();
  afterEach(closePages);

  it("imports masks from a file after a preview, and lists what was created", async () => {
    const page = await openSettings("Data");
    const file = new File([csv], "aliases.csv", { type: "text/csv" });
    await chooseFile(page, "Import masks", file);
    await screen.findByText("aliases.csv: SimpleLogin, 2 masks to import, 1 skipped.");
    const list = () =>
      within(screen.getByRole("list", { name: "Masks in the file" })).getAllByRole("listitem");
    expect(list()).to.have.length(3);
    expect(list()[2]?.textContent).to.include("The Free plan has 2 masks.");
    expect(page.server.requestsTo("POST /masks"), "nothing is made before it was seen").to.have.length(0);
    await page.press("Import 2 masks");
    await screen.findByText("2 masks imported, 0 failed, 1 skipped.");
    expect(list()[0]?.textContent).to.include("new1@masks.example");
    expect(page.product.masks().map(({ description }) => description)).to.deep.equal(["Corner Shop", "News"]);
    await page.press("Done");
    expect(screen.queryByRole("list", { name: "Masks in the file" })).to.equal(null);
  });

  it("offers no import for a file without masks to import", async () => {
    const page = await openSettings("Data");
    const nothing = "alias,note,enabled,mailboxes\nx@sl.example,Shop,true,nobody\n";
    await chooseFile(page, "Import masks", new File([nothing], "old.csv", { type: "text/csv" }));
    await screen.findByText(/Nothing can be imported/);
    expect(screen.queryByRole("button", { name: /^Import 0/ })).to.equal(null);
    await page.press("Done");
    expect(screen.queryByRole("list", { name: "Masks in the file" })).to.equal(null);
  });

  it("explains that a file is not a known list of masks", async () => {
    const page = await openSettings("Data");
    await chooseFile(page, "Import masks", new File(["hello"], "letter.csv", { type: "text/csv" }));
    await screen.findByText(/This file is not a list of masks that can be imported/);
    screen.getByRole("button", { name: "Choose another file" });
  });

  it("shows an error when an export fails", async () => {
    const page = await openSettings("Data");
    page.server.on("GET", "/account/export", { status: 400 });
    await page.press("Everything (JSON)");
    screen.getByText("Failed to export your data");
  });

  it("deletes the account once the user types its address, and a 2FA code where 2FA is on", async () => {
    const page = await openSettings("General", {
      user: createUser("ada@example.org", { twoFactor: { enabled: true } }),
    });
    page.server.on("DELETE", "/account", { json: {} });
    await page.press("Delete my account");
    const question = within(await screen.findByRole("dialog", { name: "Delete your account?" }));
    question.getByText(/every session on every device/);
    await page.user.click(question.getByRole("button", { name: beginning("Delete account") }));
    await page.act(() => {});
    expect(described("Address of your account")).to.include("Type the address of your account to confirm.");
    await page.type("Address of your account", "ada@example.org");
    await page.type("2FA code", "654321");
    await page.user.click(question.getByRole("button", { name: beginning("Delete account") }));
    await page.act(() => {});
    expect(page.server.requestsTo("DELETE /account")[0]?.body).to.deep.equal({
      email: "ada@example.org",
      code: "654321",
    });
    await screen.findByRole("heading", { name: "Sign in to Bauta" });
    screen.getByText("Your account was deleted");
  });

  for (const [count, words] of [
    [1, "your mask"],
    [3, "all your 3 masks"],
  ] as const)
    it(`says before it deletes the account that ${words} will refuse mail`, async () => {
      const masks = Array.from({ length: count }, (_, at) => createMask(`m${at}`));
      const page = await openSettings("General", { masks });
      await page.press("Delete my account");
      const question = within(await screen.findByRole("dialog", { name: "Delete your account?" }));
      question.getByText(new RegExp(`^${words}: mail to them is refused`));
    });

  it("deletes nothing when the confirmation is canceled", async () => {
    const page = await openSettings("General");
    await page.press("Delete my account");
    const question = within(await screen.findByRole("dialog", { name: "Delete your account?" }));
    expect(question.queryByLabelText("2FA code"), "no second factor, no code").to.equal(null);
    await page.press("Cancel");
    expect(screen.queryByRole("dialog")).to.equal(null);
    expect(page.server.requestsTo("DELETE /account")).to.have.length(0);
  });
});

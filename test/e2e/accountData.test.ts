import { expect } from "chai";
import { expectAccessible } from "../support/accessible.ts";
import { useProduct } from "./support/product.ts";
import { downloadedText, openSettings, storedAfterLogout } from "./support/visitor.ts";

const list =
  "alias,note,enabled,mailboxes\nx@sl.example,Corner Shop,true,\ny@sl.example,,false,\nz@sl.example,Third,true,\n";

describe("the user's own data, in a real browser", () => {
  const { visitAs } = useProduct(() => ({ DEFAULT_TIER: "free" }));
  it("is imported, exported and deleted on a wide and a narrow screen", async () => {
    const email = "mover@example.org";
    const visitor = await visitAs(email);
    const { page } = visitor;
    const look = (where: string): Promise<void> => expectAccessible(page, where);
    await openSettings(page, "data");
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Import masks" }).click();
    await (await chooser).setFiles({
      name: "aliases.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(list),
    });
    await page.getByText("2 masks to import, 1 skipped.").waitFor();
    await look("the preview of an import");
    await page.getByRole("button", { name: "Import 2 masks" }).click();
    await page.getByText("2 masks imported, 0 failed, 1 skipped.").waitFor();
    await look("the report of an import");

    const saved = async (button: string): Promise<string> => {
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: button }).click();
      return downloadedText(await download);
    };
    const { masks } = JSON.parse(await saved("Everything (JSON)")) as {
      masks: { description: string; active: boolean }[];
    };
    expect(masks.map(({ description, active }) => `${description} ${active}`)).to.have.members([
      "Corner Shop true",
      "y@sl.example false",
    ]);
    expect((await saved("Masks (CSV)")).split("\r\n")).to.have.length(4);

    await openSettings(page, "account");
    await page.getByRole("button", { name: "Delete my account" }).click();
    const question = page.getByRole("dialog", { name: "Delete your account?" });
    await question.getByText("all your 2 masks").waitFor();
    await look("the question before an account is deleted");
    await question.getByRole("textbox", { name: "Address of your account" }).fill("somebody@example.org");
    await question.getByRole("button", { name: "Delete account" }).click();
    await question.getByText("This is not the address of your account.").waitFor();
    await question.getByRole("textbox", { name: "Address of your account" }).fill(email);
    await question.getByRole("button", { name: "Delete account" }).click();
    await page.getByRole("heading", { name: "Sign in to Bauta" }).waitFor();
    await page.getByText("Your account was deleted").waitFor();
    const stored = await storedAfterLogout(page);
    expect(stored.filter((key) => key !== "theme")).to.deep.equal([]);
    expect(visitor.complaints).to.deep.equal([]);
  });
});

import { expect } from "chai";
import { expectAccessible } from "../support/accessible.ts";
import { ageSessions } from "./support/oldSession.ts";
import { useProduct } from "./support/product.ts";
import { codeMailedTo } from "./support/server.ts";
import { openSettings } from "./support/visitor.ts";

describe("What protects an account, in a real browser", () => {
  const { visitAs, server } = useProduct();

  it("is changed in an old session after a code by mail, by keyboard, and stays as it is without one", async () => {
    const { page, complaints } = await visitAs("proof@example.org");
    ageSessions(server);
    await openSettings(page, "programs");
    await page.getByRole("button", { name: "Create API token" }).first().press("Enter");
    const form = page.getByRole("dialog", { name: "Create API token" });
    await form.getByRole("textbox", { name: "Program" }).fill("Script");
    await form.getByRole("textbox", { name: "Program" }).press("Enter");
    const question = page.getByRole("dialog", { name: "Confirm that it is you" });
    await question.getByRole("button", { name: "Email me a code" }).waitFor();
    await expectAccessible(page, "the question whether it is the user");
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "hidden" });
    await form.getByText("Confirm that it is you, then try again.").waitFor();

    await form.getByRole("textbox", { name: "Program" }).press("Enter");
    const before = new Set([await codeMailedTo(server, "proof@example.org")]);
    await question.getByRole("button", { name: "Email me a code" }).press("Enter");
    const code = question.getByRole("textbox", { name: "Code" });
    await code.waitFor();
    await expectAccessible(page, "the code that confirms");
    const right = await codeMailedTo(server, "proof@example.org", before);
    await code.fill(right === "123456" ? "654321" : "123456");
    await question
      .getByText(/^This code is not right/)
      .first()
      .waitFor();
    await code.fill(right);
    await page.getByRole("alertdialog", { name: "Your API token" }).waitFor();
    expect(await question.count()).to.equal(0);
    expect(complaints).to.deep.equal([]);
  });
});

import { expect } from "chai";
import { expectAccessible } from "../support/accessible.ts";
import { useProduct } from "./support/product.ts";

describe("An API token, in a real browser", () => {
  const { visitAs, server } = useProduct();

  it("is made, copied, used by a program, renamed and revoked, by keyboard", async () => {
    const visitor = await visitAs("tokens@example.org");
    const { page } = visitor;
    await page.goto(`${server.url}/#settings/programs`);
    await page.reload();
    await page.getByText("No API tokens yet").waitFor();
    await expectAccessible(page, "no API tokens");
    const opener = page.getByRole("button", { name: "Make API token" });
    await opener.press("Enter");
    const form = page.getByRole("dialog", { name: "Make API token" });
    await form.getByRole("textbox", { name: "Program" }).fill("Script");
    await form.getByRole("radio", { name: "Custom" }).check();
    await form.getByRole("checkbox", { name: "See masks" }).press("Space");
    await expectAccessible(page, "the form of an API token");
    await form.getByRole("textbox", { name: "Program" }).press("Enter");
    const shown = page.getByRole("alertdialog", { name: "Your API token" });
    await shown.getByRole("button", { name: /^Copy bauta_/ }).press("Enter");
    const token = await page.evaluate(() => navigator.clipboard.readText());
    expect(token).to.match(/^bauta_[a-z2-7]{39}$/);
    await expectAccessible(page, "a new API token");
    await shown.getByRole("button", { name: "I have saved it" }).press("Enter");
    await shown.waitFor({ state: "hidden" });

    const call = (method: string, path: string, body?: object): Promise<Response> =>
      fetch(`${server.url}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body && { "Content-Type": "application/json" }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
    expect((await call("POST", "/masks", { description: "By the script" })).ok).to.equal(true);
    const { masks } = (await (await call("GET", "/masks")).json()) as {
      readonly masks: readonly { readonly description: string }[];
    };
    expect(masks.map(({ description }) => description)).to.deep.equal(["By the script"]);
    expect((await call("GET", "/log")).status).to.equal(403);
    expect((await call("DELETE", "/account/sessions?apiTokens=true")).status).to.be.oneOf([401, 403]);

    await page.reload();
    const list = page.getByRole("list", { name: "API tokens" });
    await list.getByText(/^Last used: Just now from 127\.0\.0\.0\/24 /).waitFor();
    await list.getByText("See masks").waitFor();
    await expectAccessible(page, "the API tokens");
    await page.getByRole("button", { name: "Rename: Script" }).press("Enter");
    const rename = page.getByRole("dialog", { name: "Rename API token" });
    await rename.getByRole("textbox", { name: "Program" }).fill("Backup");
    await rename.getByRole("textbox", { name: "Program" }).press("Enter");
    await rename.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Revoke: Backup" }).press("Enter");
    const question = page.getByRole("alertdialog", { name: "Revoke the token of Backup?" });
    await question.getByRole("button", { name: /^Revoke/ }).press("Enter");
    await page.getByText("No API tokens yet").waitFor();
    const refused = await call("GET", "/masks");
    expect(refused.status).to.equal(401);
    expect(refused.headers.get("content-type")).to.match(/^application\/json/);
  });
});

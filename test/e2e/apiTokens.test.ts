import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { expectAccessible } from "../support/accessible.ts";
import { tabLink } from "../support/tabLink.ts";
import { openAccountApi } from "./support/accountApi.ts";
import { useProduct } from "./support/product.ts";
import { loadAt, maskCard, openSettings } from "./support/visitor.ts";

describe("An API token, in a real browser", () => {
  const { visitAs, server } = useProduct();

  it("is made, copied, used by a program, renamed and revoked, by keyboard", async () => {
    const visitor = await visitAs("tokens@example.org");
    const { page } = visitor;
    await loadAt(page, `${server.url}/#settings/programs`);
    await page.getByText("No API tokens yet").waitFor();
    await expectAccessible(page, "no API tokens");
    const opener = page.getByRole("button", { name: "Create API token" });
    await opener.press("Enter");
    const form = page.getByRole("dialog", { name: "Create API token" });
    await form.getByRole("textbox", { name: "Program" }).fill("Script");
    await form.getByRole("radio", { name: "Custom" }).check();
    await form.getByRole("checkbox", { name: "See masks" }).press("Space");
    await expectAccessible(page, "the form of an API token");
    await form.getByRole("textbox", { name: "Program" }).press("Enter");
    const shown = page.getByRole("alertdialog", { name: "Your API token" });
    await shown.getByRole("button", { name: /^Copy bauta_/ }).press("Enter");
    const token = await page.evaluate(() => navigator.clipboard.readText());
    expect(token).to.match(/^bauta_[a-z2-7]{48}$/);
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

  it("makes masks from a page of another origin, which the list shows live, until it is revoked", async () => {
    const { page, context } = await visitAs("elsewhere@example.org");
    const account = await openAccountApi(server, await context.storageState());
    const { token } = await account.send<{ readonly token: string }>("POST", "/account/api-tokens", {
      name: "Web vault",
      scopes: ["masks:create"],
      domain: null,
      lifetimeDays: 30,
    });
    await account.leave();
    await tabLink(page, "Masks").press("Enter");
    await page.getByText("You don't have any email masks yet.").waitFor();

    const vault = createServer((_, response) => {
      response.setHeader("content-type", "text/html").end("<!doctype html><title>Vault</title>");
    });
    vault.listen(0, "127.0.0.1");
    await once(vault, "listening");
    try {
      const { port } = vault.address() as AddressInfo;
      const other = await context.newPage();
      await other.goto(`http://localhost:${port}`);
      const make = (path: string, headers: Readonly<Record<string, string>>, body: object) =>
        other.evaluate(
          async ([url, sent, text]) => {
            const response = await fetch(url, {
              method: "POST",
              headers: { ...sent, "content-type": "application/json" },
              body: text,
            });
            return { status: response.status, answer: (await response.json()) as unknown };
          },
          [`${server.url}/${path}`, headers, JSON.stringify(body)] as const,
        );
      const note = "Website: shop.example. Generated by Bitwarden.";
      const bySimpleLogin = (): ReturnType<typeof make> =>
        make("/api/alias/random/new?hostname=shop.example", { authentication: token }, { note });
      const byAddy = (domain: string): ReturnType<typeof make> =>
        make(
          "/api/v1/aliases",
          { authorization: `Bearer ${token}`, "x-requested-with": "XMLHttpRequest" },
          { domain, description: "Corner Shop" },
        );
      const first = await bySimpleLogin();
      expect(first.status).to.equal(201);
      const { alias } = first.answer as { readonly alias: string };
      await maskCard(page, note).getByText(alias).first().waitFor();
      expect((await byAddy(alias.slice(alias.indexOf("@") + 1))).status).to.equal(201);
      await maskCard(page, "Corner Shop").waitFor();

      await openSettings(page, "programs");
      await page.getByRole("button", { name: "Revoke: Web vault" }).press("Enter");
      const question = page.getByRole("alertdialog", { name: "Revoke the token of Web vault?" });
      await question.getByRole("button", { name: /^Revoke/ }).press("Enter");
      await page.getByText("No API tokens yet").waitFor();
      expect(await bySimpleLogin()).to.deep.include({ status: 401 });
      expect(await byAddy("masks.test")).to.deep.equal({
        status: 401,
        answer: { message: "Unauthenticated." },
      });
    } finally {
      vault.close();
    }
  });
});

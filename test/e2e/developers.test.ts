import { expect } from "chai";
import { expectAccessible } from "../support/accessible.ts";
import { useProduct } from "./support/product.ts";
import { codeMailedTo } from "./support/server.ts";
import { loadAt, pressUntil } from "./support/visitor.ts";

describe("The page for developers, in a real browser", () => {
  const { visit, visitAs, server } = useProduct();

  it("finds a call, shows it at an address of its own, and tries it with a token and with a wrong one", async () => {
    const visitor = await visitAs("developer@example.org");
    const { page } = visitor;
    await loadAt(page, `${server.url}/#settings/programs`);
    await page.getByRole("button", { name: "Create API token" }).press("Enter");
    const form = page.getByRole("dialog", { name: "Create API token" });
    await form.getByRole("textbox", { name: "Program" }).fill("Script");
    await form.getByRole("radio", { name: "Custom" }).check();
    await form.getByRole("checkbox", { name: "Create masks" }).check();
    await form.getByRole("checkbox", { name: "See masks" }).check();
    await form.getByRole("textbox", { name: "Program" }).press("Enter");
    const made = page.getByRole("alertdialog", { name: "Your API token" });
    await made.getByRole("button", { name: /^Copy bauta_/ }).press("Enter");
    const token = await page.evaluate(() => navigator.clipboard.readText());
    await made.getByRole("button", { name: "I have saved it" }).press("Enter");
    await made.waitFor({ state: "hidden" });

    await page.getByRole("link", { name: "All calls of the API" }).click();
    await page.getByRole("heading", { name: "Developers" }).waitFor();
    await page.getByRole("link", { name: "GET /masks", exact: true }).waitFor();
    await expectAccessible(page, "the calls of the API");
    expect(await page.getByRole("link", { name: "POST /signup", exact: true }).count()).to.equal(0);
    await page.getByRole("radio", { name: "All, with those of the app" }).check();
    await page.getByRole("link", { name: "POST /signup", exact: true }).waitFor();
    await page.getByRole("searchbox", { name: "Search calls" }).fill("masks:create post");
    await page.getByRole("status").filter({ hasText: "1 call" }).waitFor();
    await page.getByRole("link", { name: "POST /masks", exact: true }).press("Enter");
    await page.getByRole("heading", { name: "POST /masks", level: 1 }).waitFor();
    expect(page.url()).to.contain("#developers?call=post-masks");
    await expectAccessible(page, "a call of the API");

    const field = page.getByLabel("API token", { exact: true });
    const send = page.getByRole("button", { name: "Send" });
    await send.press("Enter");
    await page.getByRole("alert").getByText("Paste an API token first.").waitFor();
    await field.fill("bauta_mistyped");
    await send.press("Enter");
    const answer = page.getByRole("status", { name: "Answer" });
    await answer.getByText(/^401/).waitFor();
    await field.fill(token);
    await page.getByRole("textbox", { name: "Body", exact: true }).fill('{"description":"Tried out"}');
    const sent = page.waitForRequest(
      (request) => request.method() === "POST" && request.url().endsWith("/masks"),
    );
    await send.press("Enter");
    expect(await (await sent).headerValue("cookie")).to.equal(null);
    await answer.getByText(/^201/).waitFor();
    expect(await answer.getByRole("textbox", { name: "Body of the answer" }).inputValue()).to.contain(
      "Tried out",
    );
    expect(await answer.getByRole("textbox", { name: "Headers of the answer" }).inputValue()).to.match(
      /^ratelimit: /m,
    );
    await expectAccessible(page, "the answer of a call");
    await page.getByRole("button", { name: "Copy command" }).press("Enter");
    const command = await page.evaluate(() => navigator.clipboard.readText());
    expect(command).to.contain("$BAUTA_TOKEN").and.contain("/masks").and.not.contain(token);
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(kept).not.to.contain(token);

    await page.goto(`${server.url}/developers#get-events`);
    await page.getByRole("heading", { name: "GET /events" }).waitFor();
    await field.fill(token);
    await send.press("Enter");
    await answer.getByText(/^200/).waitFor();
    const stream = answer.getByRole("textbox", { name: "Body of the answer" });
    expect(await stream.inputValue()).to.contain("retry: 3000");

    await page.goto(`${server.url}/developers#delete-masks-id`);
    await page.getByRole("heading", { name: "DELETE /masks/{id}" }).waitFor();
    expect(await page.getByLabel("API token", { exact: true }).inputValue()).to.equal("");
  });

  it("says that it needs a connection, and loads when there is one", async () => {
    const visitor = await visitAs("offline-developer@example.org");
    const { page } = visitor;
    await page.route("**/openapi.json", (route) => route.abort());
    await loadAt(page, `${server.url}/#developers`);
    await page.getByText("The description of the API could not be loaded.").waitFor();
    await page.unroute("**/openapi.json");
    await page.getByRole("button", { name: "Try Again" }).press("Enter");
    await page.getByRole("link", { name: "GET /masks", exact: true }).waitFor();
  });

  it("shows the call that a link named after the sign-in that came first", async () => {
    const { page } = await visit();
    await page.goto(`${server.url}/developers#get-masks`);
    const email = "linked-developer@example.org";
    await page.getByRole("textbox", { name: "Email address" }).fill(email);
    const code = page.getByRole("textbox", { name: "Verification code" });
    await pressUntil(page.getByRole("button", { name: "Log in" }), code);
    await code.fill(await codeMailedTo(server, email));
    await page.getByRole("button", { name: /^(?:Create account|Continue with Free)$/ }).click();
    await page.getByRole("heading", { name: "Encrypt your mail" }).waitFor();
    await page.getByRole("button", { name: "Not now" }).click();
    await page.getByRole("heading", { name: "Protect your account" }).waitFor();
    await page.getByRole("button", { name: "Not now" }).click();
    await page.getByRole("heading", { name: "GET /masks", exact: true }).waitFor();
  });

  it("says when no answer to a call came", async () => {
    const { page } = await visitAs("without-network@example.org");
    await loadAt(page, `${server.url}/#developers?call=get-healthz`);
    await page.getByRole("heading", { name: "GET /healthz" }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Send" }).press("Enter");
    await page.getByRole("alert").getByText("No answer. Check your connection and try again.").waitFor();
  });
});

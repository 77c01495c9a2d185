import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "chai";
import type { BrowserContext, Page } from "playwright-core";
import { until } from "../server/support/until.ts";
import { hungMs } from "../support/limits.ts";
import { tabLink } from "../support/tabLink.ts";
import { expiredCopyOf } from "./support/expiredToken.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { codeMailedTo } from "./support/server.ts";
import { createMask, maskCard, signOut, signUp, storedAfterLogout, type Visitor } from "./support/visitor.ts";

/** Counts the requests of a browser by method and path. */
const countRequests = (from: Page | BrowserContext): ((call: string) => number) => {
  const seen: string[] = [];
  from.on("request", (request) => {
    seen.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return (call) => seen.filter((one) => one === call).length;
};

/** Changes a mask as another device would while the page has no connection. */
const rename = (dataDir: string, from: string, to: string): void => {
  const database = new DatabaseSync(join(dataDir, "bauta.db"));
  database
    .prepare("update masks set description = ?, updated_at = updated_at + 1 where description = ?")
    .run(to, from);
  database.close();
};

describe("a client that survives failures, in a real browser", () => {
  const { server, visitAs } = useProduct();
  let visitor: Visitor;
  let people = 0;
  beforeEach(async () => {
    people += 1;
    visitor = await visitAs(`person${people}@example.org`);
  });

  const toggleOf = (page: Page, description: string) => maskCard(page, description).getByRole("switch");

  it("recovers by itself after 20 s without the server, reloads what has changed once and misses nothing", async () => {
    const { page } = visitor;
    await page.clock.install();
    await page.reload();
    const address = await createMask(page, "Corner Shop");
    await server.stop("SIGKILL");
    rename(server.dataDir, "Corner Shop", "Corner Café");
    await page.getByText("Offline", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Reconnect" }).count()).to.equal(0);
    await page.getByRole("button", { name: "Reconnect" }).waitFor();
    await page.getByRole("button", { name: "Diagnose" }).click();
    await page
      .getByText(/\d{1,2}:\d{2}:\d{2}/)
      .first()
      .waitFor();
    await page.clock.fastForward(15_000);

    await server.restart();
    const requestCount = countRequests(page);
    await page.getByText("Offline", { exact: true }).waitFor({ state: "hidden", timeout: hungMs });
    await sendMail(server, address);
    await maskCard(page, "Corner Café").getByText("1", { exact: true }).first().waitFor();
    // The socket may report the mail before the masks are refetched.
    await until("the masks are fetched", () => requestCount("GET /masks") > 0);
    expect(requestCount("GET /masks")).to.equal(1);
  });

  it("refreshes an expired token once for ten tabs, and keeps the user signed in", async () => {
    const { page, context } = visitor;
    await createMask(page, "Corner Shop");
    const tabs = [page];
    for (let count = 1; count < 10; count += 1) {
      const tab = await context.newPage();
      await tab.goto(server.url);
      await maskCard(tab, "Corner Shop").waitFor();
      tabs.push(tab);
    }
    const key = Buffer.from(await readFile(join(server.dataDir, "signing.key"), "utf8"), "base64");
    const token = await page.evaluate(() => localStorage.getItem("authToken"));
    const expired = await expiredCopyOf(String(token).replaceAll('"', ""), key);
    // An active tab that sees the token written by this test would take it for one that another tab has just refreshed.
    await Promise.all(tabs.slice(1).map((tab) => tab.goto("about:blank")));
    const requestCount = countRequests(context);
    await page.evaluate(
      ([before, after]) => {
        const stored = localStorage.getItem("authToken") ?? "";
        localStorage.setItem("authToken", stored.replace(before, after));
      },
      [String(token).replaceAll('"', ""), expired] as const,
    );
    await Promise.all(tabs.map((tab) => tab.goto(server.url)));
    for (const tab of tabs) await maskCard(tab, "Corner Shop").waitFor();
    const refreshes = requestCount("POST /auth/refresh-token") + requestCount("POST /refresh-token");
    expect(refreshes).to.equal(1);
    expect(tabs.map((tab) => new URL(tab.url()).pathname)).to.deep.equal(tabs.map(() => "/"));
  });

  it("logs out in all tabs at once and leaves nothing stored but the theme", async () => {
    const { page, context } = visitor;
    await createMask(page, "Corner Shop");
    const other = await context.newPage();
    await other.goto(server.url);
    await maskCard(other, "Corner Shop").waitFor();
    await signOut(page);
    for (const tab of [page, other]) await tab.getByRole("heading", { name: "Sign in to Bauta" }).waitFor();
    const stored = await storedAfterLogout(other);
    expect(stored.filter((key) => key !== "theme")).to.deep.equal([]);
  });

  it("shows the next user of the same browser none of the previous user's data, also offline", async () => {
    const { page, context } = visitor;
    await createMask(page, "Secret Shop");
    await signOut(page);
    await signUp(visitor, server, `next${people}@example.org`);
    await context.setOffline(true);
    await tabLink(page, "Account").click();
    await tabLink(page, "Masks").click();
    await page.getByText("You don't have any email masks yet.").waitFor();
    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(stored).not.to.contain("Secret Shop").and.not.to.contain(`person${people}@example.org`);
    await context.setOffline(false);
  });

  it("replaces a lost CSRF token silently", async () => {
    const { page, context } = visitor;
    await createMask(page, "Corner Shop");
    await context.clearCookies({ name: "csrfToken" });
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) if (/csrf/i.test(key)) localStorage.removeItem(key);
    });
    await toggleOf(page, "Corner Shop").click();
    await page.getByText("Mask deactivated successfully").waitFor();
    expect(await page.getByText(/CSRF/).count()).to.equal(0);
  });

  it("says that it could not start where its own script is missing", async () => {
    const { page, context } = visitor;
    const other = await context.newPage();
    await other.route("**/assets/*.js", (route) => route.fulfill({ status: 404 }));
    await other.goto(page.url());
    await other.getByText("Failed to initialize application. Please refresh the page.").waitFor();
    await other.close();
  });

  it("shows an error when the network fails, and keeps the change for later", async () => {
    const { page } = visitor;
    await createMask(page, "Corner Shop");
    await page.route("**/masks/*", (route) =>
      route.request().method() === "PUT" ? route.abort() : route.continue(),
    );
    await toggleOf(page, "Corner Shop").click();
    await page.getByText("Connection issue. Please try again later.").waitFor();
    await page.getByRole("heading", { name: "Not saved yet" }).waitFor();
    await maskCard(page, "Corner Shop").getByRole("switch", { checked: false }).waitFor();
  });

  it("reports too many requests, waits and retries at most 3 times", async () => {
    const { page } = visitor;
    await createMask(page, "Corner Shop");
    let refusals = 0;
    await page.route("**/masks/*", (route) => {
      if (route.request().method() !== "PUT" || refusals === 1) return route.continue();
      refusals += 1;
      return route.fulfill({ status: 429, contentType: "application/json", body: "{}" });
    });
    await toggleOf(page, "Corner Shop").click();
    await page.getByText("Too many requests. Please try again in a moment.").waitFor();
    await page.getByText("Mask deactivated successfully").waitFor();
  });

  it("shows the server's error message, and puts the switch back", async () => {
    const { page } = visitor;
    await createMask(page, "Corner Shop");
    await page.route("**/masks/*", (route) =>
      route.request().method() === "PUT"
        ? route.fulfill({
            status: 500,
            contentType: "application/json",
            body: JSON.stringify({ message: "The store is full" }),
          })
        : route.continue(),
    );
    await toggleOf(page, "Corner Shop").click();
    await page.getByText("Server error: The store is full.").waitFor();
    await maskCard(page, "Corner Shop").getByRole("switch", { checked: true }).waitFor();
  });

  it("redirects to the sign-in screen, with the reason, when the session was ended elsewhere", async () => {
    const { page, context } = visitor;
    await createMask(page, "Corner Shop");
    await context.clearCookies();
    await toggleOf(page, "Corner Shop").click();
    await page.getByText("Your session has expired. Please log in again.").waitFor();
    await page.getByRole("heading", { name: "Sign in to Bauta" }).waitFor();
    expect(await codeMailedTo(server, `person${people}@example.org`)).to.match(/^\d{6}$/);
  });
});

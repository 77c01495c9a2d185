import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "chai";
import { createTransport } from "nodemailer";
import type { Locator, Page } from "playwright-core";
import { dayMs } from "../../core/kernel/durations.ts";
import { until } from "../server/support/until.ts";
import { expectAccessible } from "../support/accessible.ts";
import { tabLink } from "../support/tabLink.ts";
import { choose } from "./support/choose.ts";
import { useProduct } from "./support/product.ts";
import type { RunningServer } from "./support/server.ts";
import { createMask, maskCard, openSettings, type Visitor } from "./support/visitor.ts";

interface Mail {
  readonly to: string;
  readonly domain: string;
  readonly subject: string;
  readonly isBulk?: boolean;
}

const sendAll = async (server: RunningServer, mails: readonly Mail[]): Promise<void> => {
  const transport = createTransport({
    host: "127.0.0.1",
    port: server.smtpPort,
    ignoreTLS: true,
    pool: true,
    maxConnections: 1,
    maxMessages: 20,
  });
  for (const { to, domain, subject, isBulk = false } of mails) {
    const from = `post@${domain}`;
    await transport.sendMail({
      envelope: { from, to },
      from,
      to,
      subject,
      text: "Good day.\n",
      ...(isBulk ? { headers: { "List-Unsubscribe": `<https://${domain}/bye>`, Precedence: "bulk" } } : {}),
    });
  }
  transport.close();
};

const times = (count: number, mail: Mail): readonly Mail[] => Array.from({ length: count }, () => mail);

/** Changes the server's database directly, to simulate past events and other users. */
const change = (server: RunningServer, sql: string, ...values: readonly (string | number)[]): void => {
  const database = new DatabaseSync(join(server.dataDir, "bauta.db"));
  database.exec("pragma busy_timeout = 5000");
  database.prepare(sql).run(...values);
  database.close();
};

/** The number of held mails of all users. */
const heldMails = (server: RunningServer): number => {
  const database = new DatabaseSync(join(server.dataDir, "bauta.db"), { readOnly: true });
  database.exec("pragma busy_timeout = 5000");
  const { length } = database.prepare("select id from held_mails").all();
  database.close();
  return length;
};

const open = async (page: Page, tab: string): Promise<void> => {
  await tabLink(page, tab).click();
  await page.getByRole("main", { name: tab }).waitFor();
};
const suggestion = (page: Page, title: string | RegExp): Locator =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title }) });
const panel = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });

const isApplied = async (page: Page, title: string | RegExp): Promise<void> => {
  await suggestion(page, title).getByText("Applied", { exact: true }).waitFor();
};

describe("insights, in a real browser", () => {
  const { server, visitAs } = useProduct();
  const arrive = async (email: string): Promise<Visitor> => {
    const visitor = await visitAs(email);
    change(server, "update users set tier = 'pro' where email = ?", email);
    await visitor.page.reload();
    await visitor.page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
    return visitor;
  };

  it("count real mail, live, on a wide and a narrow screen", async () => {
    const visitor = await arrive("figures@example.org");
    const { page } = visitor;
    const look = (where: string): Promise<void> => expectAccessible(page, where);
    await open(page, "Insights");
    await page.getByText("No mail has come yet.").waitFor();
    await look("insights without mail");

    await openSettings(page, "privacy");
    await page.getByRole("switch", { name: "Content access" }).check({ force: true });
    await look("the privacy notice");
    await page.getByRole("checkbox", { name: /^I have read this and agree/ }).check();
    await page.getByRole("button", { name: "Agree and switch on" }).click();
    await page.getByText("Content access settings updated").waitFor();
    await page.getByRole("switch", { name: "Categorization" }).waitFor();
    await look("the AI cards");

    await open(page, "Masks");
    const shop = await createMask(page, "Corner Shop");
    const bank = await createMask(page, "Bank");
    await sendAll(server, [
      ...times(3, {
        to: shop,
        domain: "shop.example",
        subject: "50 % off everything, this weekend only",
        isBulk: true,
      }),
      ...times(2, { to: bank, domain: "bank.example", subject: "Your invoice 4711" }),
    ]);
    await open(page, "Insights");
    const totals = panel(page, "This month and in total");
    await totals.getByRole("definition").filter({ hasText: /^5$/ }).first().waitFor();
    await totals.getByText("Emails this month", { exact: true }).waitFor();
    await panel(page, "Mask Comparison")
      .getByRole("img", { name: "Corner Shop: Forwarded 3, Blocked 0, Other 0" })
      .waitFor();
    await panel(page, "Who writes to you").getByRole("img", { name: "bank.example: 2" }).waitFor();
    await panel(page, "Email Categorization").getByText("All categories").click();
    await panel(page, "Email Categorization")
      .getByRole("img", { name: /^Mail by category: / })
      .waitFor();
    await look("insights");

    await sendAll(server, times(1, { to: bank, domain: "bank.example", subject: "Your statement" }));
    await panel(page, "Who writes to you").getByRole("img", { name: "bank.example: 3" }).waitFor();

    await page.getByRole("button", { name: /^All Masks/ }).click();
    await page.getByRole("option", { name: /^Bank/ }).click();
    await panel(page, "This mask").getByRole("definition").filter({ hasText: /^3$/ }).first().waitFor();
    expect(await panel(page, "Mask Comparison").count()).to.equal(0);

    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Refresh" }).first().click();
    await page.getByText("Using cached insights data. Refresh when online.").waitFor();
    await page.context().setOffline(false);
    await page.getByText("Using cached insights data. Refresh when online.").waitFor({ state: "detached" });
    const complaints = visitor.complaints.filter((one) => !one.includes("ERR_INTERNET_DISCONNECTED"));
    expect(complaints).to.deep.equal([]);
  });

  it("show mail that an expired mask has held, and that it expired itself, on a wide and a narrow screen", async () => {
    const visitor = await arrive("expiry@example.org");
    const { page } = visitor;
    const address = await createMask(page, "Raffle");
    await createMask(page, "Bank");
    await page.getByRole("button", { name: "Options for Raffle" }).press("Enter");
    await page.getByRole("menuitem", { name: "Edit" }).press("Enter");
    const form = page.getByRole("dialog");
    await form.locator("summary", { hasText: "Lifetime" }).press("Enter");
    await form.getByRole("textbox", { name: "Expires after emails" }).fill("1");
    await choose(page, form.getByRole("button", { name: "What happens then" }), "Hold its mail");
    await form.getByRole("button", { name: "Save Changes" }).press("Enter");
    await form.waitFor({ state: "hidden" });
    await sendAll(server, times(2, { to: address, domain: "shop.example", subject: "You may win" }));
    await maskCard(page, "Raffle").getByText("Switched off: mail is held").waitFor();
    await open(page, "Insights");
    const held = panel(page, "This month and in total").getByText(/^\d released, \d expired$/);
    const bar = panel(page, "Mask Comparison").getByRole("img", {
      name: "Raffle: Forwarded 1, Blocked 0, Other 1",
    });
    await bar.waitFor();
    await panel(page, "Mask Comparison").getByText("Switched off").waitFor();
    await held.filter({ hasText: "0 released, 0 expired" }).waitFor();

    change(server, "update held_mails set held_at = held_at - ?", 8 * dayMs);
    // Housekeeping runs at the start.
    await server.stop();
    await server.restart();
    await until("the held mail is deleted", () => heldMails(server) === 0);
    const { length } = visitor.complaints;
    await page.reload();
    await open(page, "Insights");
    // The figures of before are fresh for ten minutes (RQ4).
    await page.getByRole("button", { name: "Refresh" }).first().press("Enter");
    await held.filter({ hasText: "0 released, 1 expired" }).waitFor();
    await bar.waitFor();
    await expectAccessible(page, "insights with expired mail");
    expect(visitor.complaints.slice(length)).to.deep.equal([]);
  });

  it("link each suggestion to its mask or rule, which stays applied after a reload", async () => {
    const visitor = await arrive("suggestions@example.org");
    const { page } = visitor;
    await openSettings(page, "privacy");
    await page.getByRole("switch", { name: "Content access" }).check({ force: true });
    await page.getByRole("checkbox", { name: /^I have read this and agree/ }).check();
    await page.getByRole("button", { name: "Agree and switch on" }).click();
    await page.getByText("Content access settings updated").waitFor();
    await open(page, "Masks");
    const addresses: string[] = [];
    for (const name of ["Shop", "Forum", "News", "Old"]) addresses.push(await createMask(page, name));
    const [shop = "", forum = "", news = ""] = addresses;
    const offer = { subject: "50 % off: our best offers of the week", isBulk: true };
    await sendAll(server, [
      ...times(12, { to: shop, domain: "shop.example", ...offer }),
      ...["one", "two", "three", "four", "five"].flatMap((name) =>
        times(3, { to: forum, domain: `${name}.example`, subject: "About your question" }),
      ),
      ...[shop, forum, news].map((to) => ({ to, domain: "broker.example", subject: "We found you" })),
    ]);
    change(server, "update masks set created_at = ? where description = 'Old'", Date.now() - 100 * dayMs);
    change(
      server,
      `insert into mask_counts (user_id, kind, period, key, n, last_at, mask_id)
       select user_id, 'verdict', ?, 'dmarc=fail', 9, ?, id from masks where description = 'News' and
       user_id = (select id from users where email = 'suggestions@example.org')
       on conflict (user_id, kind, mask_id, period, key) do update set n = 9`,
      new Date().toISOString().slice(0, 7),
      Date.now(),
    );
    await open(page, "Insights");

    const leak = "broker.example writes to 3 of your masks";
    await suggestion(page, leak).getByRole("button", { name: "Block sender" }).click();
    const editor = page.getByRole("dialog", { name: "Create Rule from Suggestion" });
    await expectAccessible(page, "a suggested rule");
    expect(await editor.getByRole("textbox", { name: "Rule Name" }).inputValue()).to.equal(
      "Block broker.example",
    );
    await editor.getByRole("button", { name: "Save Rule" }).click();
    await page.getByText("Rule created successfully from suggestion!").waitFor();
    await isApplied(page, leak);

    const promotions = /gets mostly promotions$/;
    await suggestion(page, promotions).getByRole("button", { name: "Create rule" }).click();
    await editor.getByRole("button", { name: "Save Rule" }).click();
    await isApplied(page, promotions);

    const split = /domains write to “Forum”$/;
    await suggestion(page, split).getByRole("button", { name: "Create mask" }).click();
    const form = page.getByRole("dialog", { name: "Create Email Mask from Suggestion" });
    const name = await form.getByRole("textbox", { name: "Description" }).inputValue();
    expect(name).to.match(/\.example$/);
    await expectAccessible(page, "a suggested mask");
    await form.getByRole("button", { name: "Create Mask" }).click();
    await page.getByText("Mask created successfully from suggestion!").waitFor();
    await isApplied(page, split);

    const forged = "Forged mail comes to “News”";
    await suggestion(page, forged).getByRole("button", { name: "Switch on spam filter" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Switch on" }).click();
    await isApplied(page, forged);

    const idle = /^No mail to “Old” for \d+ days$/;
    await suggestion(page, idle).getByRole("button", { name: "Switch off" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Switch off" }).click();
    await page.getByText("Mask deactivated successfully").waitFor();
    await isApplied(page, idle);

    const factor = "Your mailbox alone protects your account";
    await suggestion(page, factor).getByRole("button", { name: "Dismiss" }).click();
    await page.getByText("Suggestion dismissed").waitFor();
    await suggestion(page, factor).waitFor({ state: "detached" });
    await page.getByRole("button", { name: `Undo: ${factor}` }).waitFor({ state: "detached" });

    const stands = async (on: Page): Promise<void> => {
      await open(on, "Insights");
      for (const title of [leak, promotions, split, forged, idle]) await isApplied(on, title);
      expect(await suggestion(on, factor).count()).to.equal(0);
    };
    await page.reload();
    await stands(page);
    await page.evaluate(() => {
      for (const key of ["cached_insights", "appliedSuggestions", "dismissedSuggestions"])
        localStorage.removeItem(key);
    });
    await page.reload();
    await stands(page);

    await suggestion(page, /^Your forwarded mail is not encrypted/)
      .getByRole("link", { name: "Set up encryption" })
      .click();
    await page
      .getByRole("main", { name: "Settings" })
      .getByRole("heading", { name: "Security Settings" })
      .waitFor();
    await open(page, "Masks");
    await maskCard(page, name).waitFor();
    expect(await maskCard(page, "Old").getByText("Switched off: mail is refused").count()).to.equal(1);
    await open(page, "Rules");
    const rulesOf = async (mask: string): Promise<readonly string[]> => {
      await page.getByRole("button", { name: /Mask$/ }).click();
      await page.getByRole("option", { name: new RegExp(`^${mask}`) }).click();
      return page
        .getByRole("list", { name: /^Rules, in the order/ })
        .getByRole("heading")
        .allInnerTexts();
    };
    const rules: string[] = [];
    for (const mask of ["Shop", "Forum", "News"]) rules.push(...(await rulesOf(mask)));
    expect(rules).to.have.members(["Archive promotions", "Block broker.example"]);
    expect(visitor.complaints).to.deep.equal([]);
  });
});

import { expect } from "chai";
import { createUnsubscribeLinks } from "../../server/features/unsubscribe/unsubscribeLinks.ts";
import { adaEmail, type HeldServer, startHeldServer } from "../server/support/heldServer.ts";
import { sqliteStore } from "../server/support/stores.ts";
import { expectAccessible } from "../support/accessible.ts";
import { useBrowser } from "../support/browser.ts";
import { choose } from "./support/choose.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { createMask, openSettings } from "./support/visitor.ts";

const host = "news.averylongnameofadomainwithoutanyplacetobreak.lists.example";

describe("the links that leave mailing lists, in a real browser", () => {
  const browser = useBrowser();
  let here: HeldServer;
  const posted: string[] = [];
  beforeEach(async () => {
    posted.length = 0;
    here = await startHeldServer(sqliteStore, {}, () => ({}), {
      postToPublicHost: async ({ url }) => {
        posted.push(url);
        return { status: url.includes("gone") ? 404 : 200, retryAfter: null, text: "" };
      },
    });
  });
  afterEach(() => here?.stop());

  it("ask, do it once without scripts, and say what came of it", async () => {
    const links = createUnsubscribeLinks(here.server.context.seal, here.server.origin);
    const { db } = here.server.database;
    const user = await db
      .selectFrom("users")
      .where("email", "=", adaEmail)
      .select("id")
      .executeTakeFirstOrThrow();
    await db
      .updateTable("users")
      .where("id", "=", user.id)
      .set({ unsubscribe: "through-mask-and-switch-off" })
      .execute();
    const urlOf = (target: Parameters<typeof links.url>[0]["target"]) =>
      links.url({ userId: user.id, maskId: here.mask.id, list: "", target }, here.server.clock.now());
    const click = (path: string) =>
      urlOf({ way: { kind: "one-click", url: `https://${host}/${path}` }, page: null });
    const [context, plain] = [
      await browser().newContext({ viewport: { width: 360, height: 740 } }),
      await browser().newContext({ javaScriptEnabled: false }),
    ];
    const [page, plainPage] = [await context.newPage(), await plain.newPage()];
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    const picture = async (name: string) => {
      const folder = process.env["UNSUBSCRIBE_PICTURES"];
      if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
      await expectAccessible(page, name);
    };

    await page.goto(
      urlOf({
        way: { kind: "mail", to: `leave@${host}`, subject: "leave a1", body: "Please remove me." },
        page: `https://${host}/u`,
      }),
    );
    await page.getByRole("heading", { name: "Unsubscribe from this list?", level: 1 }).waitFor();
    await picture("by-mail");
    await page.goto(urlOf({ way: { kind: "page", url: `https://${host}/u` }, page: null }));
    await page.getByRole("link", { name: "Open the page of the list" }).waitFor();
    await picture("by-hand");
    await page.goto(click("gone"));
    await page.getByRole("button", { name: "Unsubscribe" }).press("Enter");
    await page.getByRole("heading", { name: "You are not unsubscribed" }).waitFor();
    await page.getByText("the list answered 404").waitFor();
    await picture("refused");
    const url = click("u");
    await page.goto(url);
    await picture("by-click");
    await plainPage.goto(url);
    expect(posted).to.deep.equal([`https://${host}/gone`]);
    await plainPage.getByRole("button", { name: "Unsubscribe" }).click();
    await plainPage.getByRole("heading", { name: "You are unsubscribed", level: 1 }).waitFor();
    await plainPage.getByRole("button", { name: "Switch it on again" }).click();
    await plainPage.getByRole("heading", { name: "The mask is switched on" }).waitFor();
    await page.getByRole("button", { name: "Unsubscribe" }).press("Enter");
    await page.getByRole("heading", { name: "You have unsubscribed by this link before" }).waitFor();
    await picture("before");
    expect(posted).to.have.length(2);
    expect(complaints.filter((text) => !/404|409/.test(text))).to.deep.equal([]);
    await context.close();
    await plain.close();
  });
});

describe("the mailing lists of a mask, in a real browser", () => {
  const { server, visitAs } = useProduct();

  it("are left from its page once that is chosen in Settings, with the result", async () => {
    const { page } = await visitAs("lists@example.org");
    const picture = async (name: string) => {
      const folder = process.env["UNSUBSCRIBE_PICTURES"];
      for (const scheme of folder ? (["light", "dark"] as const) : [])
        for (const width of [360, 1280]) {
          await page.emulateMedia({ colorScheme: scheme });
          await page.setViewportSize({ width, height: 900 });
          await page.screenshot({ path: `${folder}/${name}-${scheme}-${width}.png`, fullPage: true });
        }
      await page.emulateMedia({ colorScheme: "light" });
      await page.setViewportSize({ width: 1280, height: 900 });
      await expectAccessible(page, name);
    };
    const address = await createMask(page, "Newsletters");
    await openSettings(page, "mail");
    await choose(page, page.getByRole("button", { name: /Unsubscribe$/ }), /^Through the mask, then/);
    await picture("settings");

    const from = (name: string) => ({ name, address: `${name.toLowerCase()}@lists.example.org` });
    await sendMail(server, address, {
      from: from("Gazette"),
      list: { unsubscribe: "leave@lists.example.org?subject=leave" },
    });
    await sendMail(server, address, {
      from: from("Herald"),
      list: { unsubscribe: "https://nowhere.invalid/u" },
      headers: { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
    });
    await page.goto(`${server.url}/#masks`);
    await page.getByRole("link", { name: "Newsletters" }).first().press("Enter");
    const lists = page.getByRole("list", { name: "Mailing lists" });
    await lists.getByRole("button", { name: "Unsubscribe from Herald" }).press("Enter");
    await lists.getByRole("button", { name: "Send", exact: true }).press("Enter");
    await lists.getByText(/You are not unsubscribed: its (?:host|server)/).waitFor();
    await lists.getByRole("link", { name: "Open the page of Herald" }).waitFor();
    await picture("lists");
    await lists.getByRole("button", { name: "Unsubscribe from Gazette" }).press("Enter");
    await lists.getByRole("button", { name: "Send", exact: true }).press("Enter");
    await lists.getByText(/^Unsubscribed /).waitFor();
    await page.getByRole("switch", { name: "Newsletters forwards mail", checked: false }).waitFor();
    await picture("left");
  });
});

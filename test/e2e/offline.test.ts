import { expect } from "chai";
import type { Page } from "playwright-core";
import { until } from "../server/support/until.ts";
import { hungMs } from "../support/limits.ts";
import { tabLink } from "../support/tabLink.ts";
import { useProduct } from "./support/product.ts";
import {
  createMask,
  maskCard,
  openSettings,
  signOut,
  storedAfterLogout,
  untilKept,
  type Visitor,
} from "./support/visitor.ts";

interface SavedMask {
  readonly description: string;
  readonly settings: { readonly rules: readonly { readonly name: string; readonly enabled: boolean }[] };
}

/** Returns the names of the rules on the server by mask; disabled rules are in brackets. */
const savedRules = async (page: Page): Promise<Readonly<Record<string, readonly string[]>>> => {
  const masks = await page.evaluate(async () => {
    const authorization = `Bearer ${localStorage.getItem("authToken")}`;
    const answer = await fetch("/masks", { headers: { accept: "application/json", authorization } });
    return ((await answer.json()) as { readonly masks: unknown }).masks as readonly SavedMask[];
  });
  return Object.fromEntries(
    masks.map(({ description, settings }) => [
      description,
      settings.rules.map(({ name, enabled }) => (enabled ? name : `(${name})`)),
    ]),
  );
};

const rulesTab = (page: Page) => tabLink(page, "Rules").click();
const chooseMask = async (page: Page, description: string): Promise<void> => {
  await page.getByRole("button", { name: / Mask$/ }).click();
  await page.getByRole("option", { name: new RegExp(description) }).click();
};
const apply = async (page: Page, template: string): Promise<void> => {
  await page.getByRole("button", { name: `Apply ${template}` }).click();
};
const card = (page: Page, rule: string) => page.getByRole("listitem", { name: rule });

describe("the app without a network, in a real browser", () => {
  const { server, visitAs } = useProduct();
  let visitor: Visitor;
  let people = 0;
  beforeEach(async () => {
    people += 1;
    visitor = await visitAs(`train${people}@example.org`);
    const { page } = visitor;
    await createMask(page, "Corner Shop");
    await createMask(page, "Newsletter");
    await rulesTab(page);
    await page.getByRole("button", { name: "Apply Travel" }).waitFor();
    await untilKept(page);
  });

  const edit = async (page: Page): Promise<void> => {
    await chooseMask(page, "Corner Shop");
    await apply(page, "Travel");
    // Without force: the banner moves the card when an answer is lost, and a click that misses is repeated.
    await card(page, "Tag travel plans").getByRole("switch").click();
    await card(page, "Tag travel plans").getByRole("switch", { checked: false }).waitFor();
    await chooseMask(page, "Newsletter");
    await apply(page, "Professional");
    await card(page, "Tag professional network").waitFor();
    await apply(page, "Shopping");
    await card(page, "Block flash sales").waitFor();
  };
  const all = {
    "Corner Shop": ["(Tag travel plans)"],
    Newsletter: ["Tag professional network", "Block flash sales", "Tag order confirmations"],
  };
  const banner = /pending sync|^Syncing /;
  const pending = "2 mask(s) with 4 rule(s) pending sync";

  it("opens offline, keeps edits made there, and sends them by itself when the network returns", async () => {
    const { page, context } = visitor;
    await context.setOffline(true);
    await edit(page);
    await page.getByText(pending).waitFor();

    await page.reload();
    await page.getByText("Using cached mask data. Refresh when online.").waitFor();
    await rulesTab(page);
    await page.getByText(pending).waitFor();
    await chooseMask(page, "Newsletter");
    expect(await page.getByText("Local only").count()).to.equal(3);
    await tabLink(page, "Account").click();
    await page.getByRole("heading", { name: "Your Account", exact: true }).waitFor();
    await page.getByText(`train${people}@example.org`).last().waitFor();
    await rulesTab(page);

    await context.setOffline(false);
    // A request that the returning network drops is sent again, and its round counts the masks that were left.
    await page.getByText(/Successfully synced rules for [12] mask\(s\)/).waitFor();
    await page.getByText(banner).waitFor({ state: "hidden" });
    expect(await savedRules(page)).to.deep.equal(all);
    await page.getByText("Local only").first().waitFor({ state: "hidden" });
  });

  it("keeps a mask that is made offline, over a reload, and gets its address once when the network returns", async () => {
    const { page, context, complaints } = visitor;
    await tabLink(page, "Masks").click();
    await maskCard(page, "Corner Shop").waitFor();
    await context.setOffline(true);
    await page.getByRole("button", { name: "Create Mask" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Create Mask" });
    await dialog.getByRole("textbox", { name: "Description" }).fill("Train Ticket");
    await dialog.getByRole("button", { name: "Create Mask" }).click();
    await dialog.waitFor({ state: "hidden" });
    const waiting = page.getByRole("list", { name: "Masks that wait for a connection" });
    await waiting.getByText("Train Ticket").waitFor();
    await waiting.getByText("Waiting for a connection: the server chooses the address.").waitFor();

    await page.reload();
    await waiting.getByText("Train Ticket").waitFor();
    await page.getByRole("button", { name: "Log out" }).first().click();
    const question = page.getByRole("alertdialog", { name: "Log out?" });
    await question.getByText("1 mask is not created yet. Logging out deletes it.").waitFor();
    await question.getByRole("button", { name: "Stay" }).click();
    await question.waitFor({ state: "hidden" });

    await context.setOffline(false);
    await maskCard(page, "Train Ticket")
      .getByRole("button", { name: /^Copy \S+@\S+$/ })
      .waitFor();
    await waiting.waitFor({ state: "hidden" });
    await page.reload();
    await maskCard(page, "Train Ticket").waitFor();
    expect(await page.getByRole("heading", { name: "Train Ticket" }).count()).to.equal(1);
    expect(Object.keys(await savedRules(page))).to.have.members([
      "Corner Shop",
      "Newsletter",
      "Train Ticket",
    ]);
    expect(complaints.filter((text) => !text.includes("ERR_INTERNET_DISCONNECTED"))).to.deep.equal([]);
  });

  it("keeps a switch and an edit of masks made offline, over a reload, and saves them when the network returns", async () => {
    const { page, context, complaints } = visitor;
    await tabLink(page, "Masks").click();
    const shop = maskCard(page, "Corner Shop");
    const toggle = shop.getByRole("switch");
    await shop.waitFor();
    await context.setOffline(true);
    await toggle.click({ force: true });
    const waiting = page.getByRole("list", { name: "Changes that wait for a connection" });
    await waiting.getByText("Waiting for a connection: the switch.").waitFor();
    await maskCard(page, "Newsletter").getByRole("button", { name: "Options for Newsletter" }).click();
    await page.getByRole("menuitem", { name: "Edit mask" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit Mask" });
    await dialog.getByRole("textbox", { name: "Description" }).fill("Weekly letter");
    await dialog.getByRole("button", { name: "Save Changes" }).click();
    await dialog.waitFor({ state: "hidden" });
    await maskCard(page, "Weekly letter").waitFor();

    await page.reload();
    await waiting.getByText("Waiting for a connection: the name.").waitFor();
    await maskCard(page, "Weekly letter").waitFor();
    expect(await toggle.isChecked()).to.equal(false);

    await context.setOffline(false);
    await waiting.waitFor({ state: "hidden" });
    await page.reload();
    await maskCard(page, "Weekly letter").waitFor();
    await until("the switch is as it was left", async () => !(await toggle.isChecked()));
    expect(Object.keys(await savedRules(page))).to.have.members(["Corner Shop", "Weekly letter"]);
    expect(complaints.filter((text) => !text.includes("ERR_INTERNET_DISCONNECTED"))).to.deep.equal([]);
  });

  it("shows the lists of the last visit, as of then, and disables what needs the server", async () => {
    const { page, context } = visitor;
    const lists = [
      ["mail", "address"],
      ["domains", "domain"],
    ] as const;
    const outdated = /^As of .* Changes need a connection\.$/;
    const add = (what: string) => page.getByRole("button", { name: `Add ${what}`, exact: true });
    for (const [section, what] of lists) {
      await openSettings(page, section);
      await add(what).waitFor();
    }
    await page.evaluate(() => location.assign("#held"));
    await page.getByText("No mail is held").waitFor();
    await context.setOffline(true);
    await page.reload();
    for (const [section, what] of lists.toReversed()) {
      await openSettings(page, section);
      await add(what).waitFor();
      await page.getByText(outdated).waitFor();
      expect(await add(what).isDisabled()).to.equal(true);
    }
    await page.getByRole("list", { name: "Addresses" }).getByText(`train${people}@example.org`).waitFor();

    await page.evaluate(() => location.assign("#held"));
    await page.getByText(outdated).waitFor();
    await page.getByText("No mail is held").waitFor();

    await context.setOffline(false);
    await page.getByText("Changes need a connection.").first().waitFor({ state: "hidden" });
    await openSettings(page, "mail");
    await until("an address can be added again", () => add("address").isEnabled());
  });

  it("saves each edit once when responses are lost after the server has committed", async () => {
    const { page, context } = visitor;
    const lost = new Set<string>();
    let isSeen = false;
    /** Every answer until the edits are seen to be pending, and after that the first about each mask. */
    await context.route("**/masks/*", async (route) => {
      const request = route.request();
      if (request.method() !== "PUT" || (isSeen && lost.has(request.url()))) return route.fallback();
      lost.add(request.url());
      await route.fetch();
      await route.abort("connectionreset");
    });
    await edit(page);
    await page.getByText(pending).waitFor();
    isSeen = true;
    await page.reload();
    await rulesTab(page);
    await page.waitForFunction(() => localStorage.getItem("pendingRulesSync") === null, undefined, {
      timeout: hungMs,
    });
    await page.getByText(banner).waitFor({ state: "hidden" });
    expect(lost.size).to.equal(2);
    expect(await savedRules(page)).to.deep.equal(all);
  });

  it("caches only files: after a logout no data of the user is left, online or offline", async () => {
    const { page, context } = visitor;
    await signOut(page);
    const stored = await page.evaluate(async () => {
      const names = await caches.keys();
      const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return { names, paths: requests.flat().map(({ url }) => new URL(url).pathname) };
    });
    expect(stored.names).to.have.length(1);
    expect(
      stored.paths.filter((path) => !/^\/(assets\/.*|[\w-]+\.(svg|png|webmanifest)|)$/.test(path)),
    ).to.deep.equal([]);
    expect(stored.paths).to.include.members(["/", "/manifest.webmanifest", "/icon-512.png"]);
    expect(await storedAfterLogout(page)).to.deep.equal([]);
    await context.setOffline(true);
    const answer = await page.goto(server.url);
    expect(answer?.fromServiceWorker()).to.equal(true);
    expect(visitor.complaints.filter((text) => /policy|trusted/i.test(text))).to.deep.equal([]);
  });
});

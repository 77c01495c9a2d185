import { expect } from "chai";
import { createSignedLinks } from "../../server/features/actionLinks/actionLinks.ts";
import { createKeyedHash } from "../../server/platform/ops/keyedHash.ts";
import { adaEmail, type HeldServer, startHeldServer } from "../server/support/heldServer.ts";
import { sqliteStore } from "../server/support/stores.ts";
import { expectAccessible } from "../support/accessible.ts";
import { useBrowser } from "../support/browser.ts";

const sender = "newsletter@averylongnameofadomainwithoutanyplacetobreak.shop.example";

describe("the links in forwarded mail, in a real browser", () => {
  const browser = useBrowser();
  let here: HeldServer;
  beforeEach(async () => {
    here = await startHeldServer(sqliteStore);
  });
  afterEach(() => here?.stop());

  it("ask before they do anything, and are undone without scripts", async () => {
    const links = createSignedLinks(createKeyedHash(here.secrets.hashing), here.server.origin);
    const user = await here.server.database.db
      .selectFrom("users")
      .where("email", "=", adaEmail)
      .select("id")
      .executeTakeFirstOrThrow();
    const urlOf = (action: "switch-off" | "block") =>
      links.url(
        user.id,
        { maskId: here.mask.id, action, sender: action === "block" ? sender : "" },
        here.server.clock.now(),
      );
    // axe needs scripts, which the pages themselves forbid.
    const [context, plain] = [
      await browser().newContext(),
      await browser().newContext({ javaScriptEnabled: false }),
    ];
    const [page, plainPage] = [await context.newPage(), await plain.newPage()];
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    await page.goto(urlOf("block"));
    await page.getByRole("heading", { name: "Block this sender?", level: 1 }).waitFor();
    await expectAccessible(page, "the question before blocking");
    await page.goto(urlOf("switch-off"));
    await page.getByRole("heading", { name: "Switch off this mask?", level: 1 }).waitFor();
    await expectAccessible(page, "the question before switching off");
    await page.getByRole("button", { name: "Switch off" }).press("Enter");
    await page.getByRole("heading", { name: "The mask is switched off", level: 1 }).waitFor();
    await expectAccessible(page, "the mask that is off");

    await plainPage.goto(urlOf("switch-off"));
    await plainPage.getByRole("button", { name: "Switch off" }).click();
    await plainPage.getByRole("button", { name: "Undo" }).click();
    await plainPage.getByRole("heading", { name: "The mask is switched on", level: 1 }).waitFor();
    await page.goto(`${urlOf("switch-off")}0`);
    await page.getByRole("heading", { name: "This link does not work any more" }).waitFor();
    expect(complaints.filter((text) => !text.includes("404"))).to.deep.equal([]);
    await context.close();
    await plain.close();
  });
});

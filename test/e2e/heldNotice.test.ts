import { expect } from "chai";
import { cryptoRandom } from "../../adapters/system/clockAndRandom.ts";
import { createHeldLinks, type HeldLinkAction } from "../../server/features/held/heldLinks.ts";
import { heldNoticeMail } from "../../server/features/held/heldNotice.ts";
import { findHeldMail } from "../../server/features/held/heldQueries.ts";
import { createKeyedHash } from "../../server/platform/ops/keyedHash.ts";
import { createSeal } from "../../server/platform/ops/secrets.ts";
import { bystander } from "../server/support/bystander.ts";
import { adaEmail, type HeldServer, letter, startHeldServer } from "../server/support/heldServer.ts";
import { sqliteStore } from "../server/support/stores.ts";
import { until } from "../server/support/until.ts";
import { expectAccessible } from "../support/accessible.ts";
import { useBrowser } from "../support/browser.ts";
import { named } from "../support/domainNames.ts";

const subject = "Verify your account at averylongnameofadomainwithoutanyplacetobreak.example";

describe("the daily notice of held mail, in a real browser", () => {
  const browser = useBrowser();
  let here: HeldServer;
  beforeEach(async () => {
    here = await startHeldServer(sqliteStore);
  });
  afterEach(() => here?.stop());

  const hold = async () => {
    expect(await here.send("a@shop.example", letter("News <n@news.example>", [], subject))).to.match(/^250/);
    const { db } = here.server.database;
    const { id, user_id: userId } = await db
      .selectFrom("held_mails")
      .where("user_id", "!=", bystander.id)
      .selectAll()
      .executeTakeFirstOrThrow();
    const mail = await findHeldMail(db, createSeal(here.secrets.sealing, cryptoRandom), userId, id);
    if (!mail) throw new Error("the mail is not held");
    return mail;
  };

  it("is readable, and its links ask before they do anything, on a wide and a narrow screen", async () => {
    const screen = { colorScheme: "light", viewport: { width: 1280, height: 800 } } as const;
    // axe needs scripts, which the pages themselves forbid.
    const [context, plain] = [
      await browser().newContext(screen),
      await browser().newContext({ ...screen, javaScriptEnabled: false }),
    ];
    const [page, plainPage] = [await context.newPage(), await plain.newPage()];
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    const mail = await hold();
    const links = createHeldLinks(createKeyedHash(here.secrets.hashing), here.server.origin);
    const sender = { brand: "Bauta", maskDomain: named("masks.test"), publicUrl: here.server.origin };
    const { html } = heldNoticeMail(sender, adaEmail, [{ mail, mask: here.mask.maskEmail }], links);

    await page.setContent(html);
    await page.getByText(subject).waitFor();
    await expectAccessible(page, "the notice of held mail");

    const questions: Readonly<Record<HeldLinkAction, string>> = {
      release: "Release this email?",
      allow: "Always allow this sender?",
      block: "Block this sender?",
      delete: "Delete this email?",
    };
    for (const action of ["release", "allow", "block", "delete"] as const) {
      await page.goto(links.url(mail, action));
      await page.getByRole("heading", { name: questions[action], level: 1 }).waitFor();
      await expectAccessible(page, `the question before ${action}`);
    }

    await plainPage.goto(links.url(mail, "allow"));
    await plainPage.getByRole("button", { name: "Always allow" }).press("Enter");
    await plainPage.getByRole("heading", { name: "The sender is allowed" }).waitFor();
    here.delivery.wake();
    await until("it arrives", () => here.sink.mails.some(({ content }) => content.includes(subject)));

    await page.goto(links.url(mail, "allow"));
    await page.getByRole("heading", { name: "This link does not work any more" }).waitFor();
    await expectAccessible(page, "a link that works no more");
    expect(complaints.filter((text) => !text.includes("404"))).to.deep.equal([]);
    await context.close();
    await plain.close();
  });
});

import { expect } from "chai";
import { expectAccessible } from "../../../support/accessible.ts";
import type { Screen } from "../../../support/screens.ts";
import { tabLink } from "../../../support/tabLink.ts";
import type {} from "../../app/pageOnFakes.tsx";
import { useChromiumPages } from "../../support/chromiumPage.ts";
import { servePageOnFakes } from "../../support/servePage.ts";

describe("The banner about a pending sync", () => {
  const openPage = useChromiumPages(servePageOnFakes);

  it("and a rule's counters move no switch when they arrive", async () => {
    const { page } = await openPage(1280);
    await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
    await page.evaluate(async () => {
      const { app, clock } = window.hands;
      const draft = { description: "Shop", forwardTo: "ada@example.org", spamFilter: false };
      await app.masks.create({ ...draft, labels: [], note: "", customPrefix: "" }, { kind: "plain" })();
      await clock.advance(1_000);
    });
    await tabLink(page, "Rules").click();
    await page.getByRole("button", { name: "Apply Shopping" }).click();
    const card = page.getByRole("listitem").filter({ hasText: "Block flash sales" });
    await card.waitFor();
    const unknown = await card.boundingBox();
    expect(await page.getByText("Not applied yet").count()).to.equal(0);
    await page.evaluate(() => window.hands.clock.advance(20_000));
    await card.getByText("Not applied yet").waitFor();
    expect((await card.boundingBox())?.height).to.equal(unknown?.height);
  });

  for (const width of [360, 1280])
    it(`moves no switch under the pointer when it comes and goes, in both themes at ${width} px`, async () => {
      const { page, complaints } = await openPage(width);
      const bothThemes: readonly Screen[] = [
        { theme: "light", width },
        { theme: "dark", width },
      ];
      await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
      await page.evaluate(async () => {
        const { app, clock } = window.hands;
        const draft = { description: "Shop", forwardTo: "ada@example.org", spamFilter: false };
        const more = { labels: [], note: "", customPrefix: "" };
        await app.masks.create({ ...draft, ...more }, { kind: "plain" })();
        await clock.advance(1_000);
      });
      await tabLink(page, "Rules").click();
      await page.getByRole("button", { name: "Apply Shopping" }).click();
      const one = page.getByRole("switch", { name: "Block flash sales is on" });
      // In the page, because a press scrolls to what it presses.
      const top = (): Promise<number> =>
        one.evaluate((element) => element.getBoundingClientRect().top + window.scrollY);
      await one.waitFor();
      await page.evaluate(async () => {
        await window.hands.clock.advance(20_000);
        window.hands.server.on("PUT", "/masks/:id", "unreachable");
        window.scrollTo(0, 0);
      });
      await page.getByText("Not applied yet").first().waitFor();
      await page.getByText("Local only").waitFor({ state: "detached" });
      const before = await top();
      await one.click();
      await page.evaluate(() => window.hands.clock.advance(5_000));
      const banner = page.getByText("1 mask(s) with 1 rule(s) pending sync");
      await banner.waitFor();
      expect(await top()).to.equal(before);
      await page.getByRole("button", { name: "Sync Now" }).click({ trial: true });
      await expectAccessible(page, "pending sync", bothThemes);
      await page.evaluate(() => window.hands.server.on("PUT", "/masks/:id", { status: 400 }));
      await page.keyboard.press("Tab");
      await page.getByRole("button", { name: "Sync Now" }).press("Enter");
      await page.getByText(/The server does not take the rules of/).waitFor();
      expect(await top()).to.equal(before);
      expect(complaints).to.deep.equal([]);
    });
});

import { expect } from "chai";
import type { Page } from "playwright-core";
import { createBenchAccount } from "../../bench/page/account.ts";
import { useBrowser } from "../support/browser.ts";
import { twoScreens } from "../support/screens.ts";
import { useServer } from "./support/product.ts";
import { signOut, visit } from "./support/visitor.ts";

const isKept = (): boolean => {
  const kept = JSON.parse(localStorage.getItem("keptScreen") ?? "null") as { readonly list: string } | null;
  return kept !== null && localStorage.getItem("cached_masks")?.startsWith(kept.list) === true;
};

/** Reloads the page and holds its scripts back; returns how to let them go. */
const reloadWithoutScripts = async (page: Page): Promise<() => void> => {
  const held = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.reload({ waitUntil: "commit" });
  return held.resolve;
};

describe("The list at a later visit, in a real browser", () => {
  const server = useServer();
  const browser = useBrowser();

  for (const [at, screen] of twoScreens.entries())
    it("is seen before the scripts have loaded, on a wide and a narrow screen, and is gone after signing out", async () => {
      const { kept } = await createBenchAccount(server, 7 + at);
      const { page, complaints, leave } = await visit(
        browser(),
        server,
        { ...screen, keepsNothing: true },
        kept,
      );
      const card = page.getByRole("listitem").filter({ hasText: "Shop number 1" });
      await card.waitFor();
      await page.waitForFunction(isKept);

      const go = await reloadWithoutScripts(page);
      const shown = page.locator("#page > [inert]");
      await shown.getByText("Shop number 1", { exact: true }).waitFor();
      expect(await card.count(), "nothing of it is heard").to.equal(0);
      go();
      await card.waitFor();
      expect(await shown.count()).to.equal(0);
      expect(await page.getByRole("banner").count()).to.equal(1);

      await page.waitForFunction(isKept);
      await signOut(page);
      expect(await page.evaluate(() => localStorage.getItem("keptScreen"))).to.equal(null);
      await page.reload();
      await page.getByRole("heading", { name: "Sign in to Bauta" }).waitFor();
      expect(complaints).to.deep.equal([]);
      await leave();
    });
});

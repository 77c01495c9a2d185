import { expect } from "chai";
import { expectAccessible } from "../../../support/accessible.ts";
import { fourScreens } from "../../../support/screens.ts";
import type {} from "../../app/pageOnFakes.tsx";
import { useChromiumPages } from "../../support/chromiumPage.ts";
import { servePageOnFakes } from "../../support/servePage.ts";

describe("The deleted masks in a real browser", () => {
  const openPage = useChromiumPages(servePageOnFakes);

  it("are restored by keyboard alone, and pass axe, on a wide and a narrow screen in both themes", async () => {
    const { page, complaints } = await openPage(1280);
    await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
    await page.evaluate(async () => {
      const { app, clock } = window.hands;
      const draft = {
        description: "A shop with a name that is long enough to need two lines on a phone",
      };
      const more = { forwardTo: "ada@example.org", spamFilter: false, labels: [], note: "" };
      await app.masks.create({ ...draft, ...more, customPrefix: "" }, { kind: "plain" })();
      await clock.advance(1_000);
      await app.masks.remove(app.masks.view$.value.all[0]?.id ?? "")();
      await clock.advance(20_000);
    });
    await page.getByRole("link", { name: "Deleted masks" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Deleted masks" });
    await dialog.getByRole("heading", { name: /^A shop/ }).waitFor();
    await expectAccessible(page, "deleted masks", fourScreens);
    const restore = dialog.getByRole("button", { name: /^Restore/ });
    const isFocused = (): Promise<boolean> =>
      restore.evaluate((button) => button === button.ownerDocument.activeElement);
    for (let presses = 0; presses < 5 && !(await isFocused()); presses += 1) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await dialog.getByText("No deleted masks").waitFor();
    await expectAccessible(page, "no deleted masks", fourScreens);
    await page.keyboard.press("Escape");
    await page
      .getByRole("list", { name: "Email masks" })
      .getByRole("heading", { name: /^A shop/ })
      .waitFor();
    expect(complaints).to.deep.equal([]);
  });
});

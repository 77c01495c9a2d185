import { expect } from "chai";
import type { Page } from "playwright-core";
import { until } from "../../server/support/until.ts";
import { expectAccessible } from "../../support/accessible.ts";
import { useChromiumPages } from "../support/chromiumPage.ts";
import { servePageOnFakes } from "../support/servePage.ts";
import type {} from "./pageOnFakes.tsx";

const long = "The server could not keep the change, and says a lot about it. ".repeat(14).trim();

/** What toasts cover: the logo, or controls by their names. */
const covered = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { document } = window;
    const region = document.querySelector('section[aria-label="Messages"]');
    const toasts = [...(region?.querySelectorAll("[aria-live] > *") ?? [])].map((toast) =>
      toast.getBoundingClientRect(),
    );
    return [...document.querySelectorAll("button, a[href], input, [role=switch], [data-keep-clear]")]
      .filter((control) => !region?.contains(control))
      .filter((control) => {
        const box = (control.closest("label") ?? control).getBoundingClientRect();
        return toasts.some(
          (toast) =>
            box.width > 0 &&
            box.left < toast.right &&
            toast.left < box.right &&
            box.top < toast.bottom &&
            toast.top < box.bottom,
        );
      })
      .map((control) => control.getAttribute("aria-label") ?? control.textContent ?? control.tagName);
  });

describe("Toasts in a real browser", () => {
  const openPage = useChromiumPages(servePageOnFakes);

  for (const [width, kind] of [
    [360, "error"],
    [1280, "error"],
    [360, "success"],
    [1280, "success"],
  ] as const)
    it(`cover neither the logo nor a control while the page scrolls: ${kind}, at ${width} px`, async () => {
      const { page, complaints } = await openPage(width, "light");
      await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
      await page.evaluate(async () => {
        const { app, clock } = window.hands;
        for (let n = 1; n <= 5; n += 1) {
          await app.masks.create(
            {
              description: `Shop ${n}`,
              forwardTo: "ada@example.org",
              spamFilter: false,
              labels: [],
              note: "",
              customPrefix: "",
            },
            { kind: "plain" },
          )();
          await clock.advance(600);
        }
        await clock.advance(10_000);
      });
      await page.getByText("Shop 5", { exact: true }).waitFor();
      const [text, action] =
        kind === "error" ? ([long, undefined] as const) : (["Mask deleted successfully", "Undo"] as const);
      await page.evaluate(
        ([kind, text, label]) =>
          window.hands.app.toasts.show(kind, text, label === undefined ? label : { label, run: () => {} }),
        [kind, text, action] as const,
      );
      await page.getByText(text).waitFor();
      for (const top of [0, 90, 150, 240, 330, 410, 500, 580, 700]) {
        await page.evaluate((y) => window.scrollTo(0, y), top);
        // A toast finds its place again when a scroll has ended.
        let last: readonly string[] = [];
        const isClear = async (): Promise<boolean> => {
          last = await covered(page);
          return last.length === 0;
        };
        await until("the toasts stand clear", isClear, 10_000).catch(() => {});
        expect(last, `${width} px, ${top} px from the top`).to.deep.equal([]);
      }
      expect(complaints).to.deep.equal([]);
    });

  for (const width of [360, 1280])
    it(`make way for controls that come under them one after another, at ${width} px`, async () => {
      const { page } = await openPage(width);
      await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
      await page.evaluate(() => window.hands.app.toasts.show("error", "Mask not saved"));
      const toast = page.getByText("Mask not saved").locator("xpath=ancestor::*[parent::*[@aria-live]]");
      for (const name of ["First", "Second"]) {
        const { x, y, height } = (await toast.boundingBox()) ?? { x: 0, y: 0, height: 0 };
        await page.evaluate(
          ([name, left, top]) => {
            const control = document.body.appendChild(document.createElement("button"));
            control.textContent = name;
            control.style.cssText = `position: fixed; left: ${left}px; top: ${top}px; width: 44px; height: 24px`;
          },
          [name, x, y + height / 2 - 12] as const,
        );
        await until(`the toast does not cover ${name}`, async () => !(await covered(page)).includes(name));
      }
      expect(await covered(page)).to.deep.equal([]);
    });

  it("show the first lines of a long text, and the rest by a button", async () => {
    const { page } = await openPage(360);
    await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
    await page.evaluate((text) => window.hands.app.toasts.show("error", text), long);
    const toast = page.getByText(long).locator("xpath=ancestor::*[parent::*[@aria-live]]");
    const height = async (): Promise<number> => (await toast.boundingBox())?.height ?? 0;
    const more = page.getByRole("region", { name: "Messages" }).getByRole("button", { name: "More" });
    await more.waitFor();
    expect(await height()).to.be.lessThan(180);
    await expectAccessible(page, "a long toast", [
      { theme: "light", width: 360 },
      { theme: "dark", width: 360 },
    ]);
    const before = await height();
    await more.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Less" }).waitFor();
    expect(await height()).to.be.greaterThan(before);
    expect(await height(), "leaves half of the window").to.be.lessThan(400);
  });
});

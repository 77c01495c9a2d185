import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { expectAccessible } from "../../support/accessible.ts";
import { useChromiumPages } from "../support/chromiumPage.ts";
import { servePageOnFakes } from "../support/servePage.ts";
import type {} from "./pageOnFakes.tsx";

const long = "The server could not keep the change, and says a lot about it. ".repeat(14).trim();

/** The controls, by their names, and the logo that a toast covers and no scrolling brings out of it. */
const covered = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { document } = window;
    const region = document.querySelector('section[aria-label="Messages"]');
    const dialog = document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]');
    const selector = "button, a[href], input, summary, textarea, [role=switch], [role=menuitem], header svg";
    const isCovered = (control: Element): boolean => {
      const box = (control.closest("label") ?? control).getBoundingClientRect();
      const toast = region?.getBoundingClientRect();
      return (
        toast !== undefined &&
        box.width > 0 &&
        box.left < toast.right &&
        toast.left < box.right &&
        box.top < toast.bottom &&
        toast.top < box.bottom
      );
    };
    return [...(dialog ?? document).querySelectorAll(selector)]
      .filter((control) => {
        if (region?.contains(control) || !isCovered(control)) return false;
        control.scrollIntoView({ block: "nearest" });
        return isCovered(control);
      })
      .map((control) => control.getAttribute("aria-label") ?? control.textContent ?? control.tagName);
  });

const messages = (page: Page) => page.getByRole("region", { name: "Messages" });

/** Shows a long failure, or a short success with "Undo". */
const show = async (page: Page, kind: "error" | "success"): Promise<void> => {
  await page.evaluate(
    ([kind, text]) => {
      const { toasts } = window.hands.app;
      if (kind === "error") toasts.show("error", text);
      else toasts.show("success", "Mask deleted successfully", { label: "Undo", run: () => {} });
    },
    [kind, long] as const,
  );
  await messages(page)
    .getByRole("button", { name: kind === "error" ? "More" : "Undo" })
    .waitFor();
  // The page moves out of its way with the next frame.
  await page.waitForFunction(() => {
    const { document } = window;
    const region = document.querySelector<HTMLElement>('section[aria-label="Messages"]');
    return document.documentElement.style.getPropertyValue("--toast-height") === `${region?.offsetHeight}px`;
  });
};

const createFive = async (page: Page): Promise<void> => {
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
};

/** The middle of a control, which a button that shrinks under the pointer keeps. */
const middleOf = async (control: Locator) => {
  const box = await control.boundingBox();
  if (box === null) throw new Error("it is not shown");
  return { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
};

/** Windows in CSS pixels; the last is one of 1280 × 740 px at 200 %. */
const windows = [
  { width: 360, height: 740 },
  { width: 1280, height: 740 },
  { width: 640, height: 370 },
] as const;

describe("Toasts in a real browser", () => {
  const openPage = useChromiumPages(servePageOnFakes);

  for (const size of windows) {
    const at = `at ${size.width} × ${size.height} px`;

    it(`cover neither the logo nor a control, wherever the page is scrolled to, ${at}`, async () => {
      const { page, complaints } = await openPage(size.width, "light");
      await page.setViewportSize(size);
      await createFive(page);
      for (const kind of ["success", "error"] as const) {
        await show(page, kind);
        for (const top of [0, 90, 150, 240, 330, 410, 500, 580, 700, 10_000]) {
          await page.evaluate((y) => window.scrollTo(0, y), top);
          expect(await covered(page), `${kind}, ${top} px from the top`).to.deep.equal([]);
        }
      }
      expect(complaints).to.deep.equal([]);
    });

    it(`cover no control of a menu, a question or a dialog, ${at}`, async () => {
      const { page } = await openPage(size.width, "light");
      await page.setViewportSize(size);
      await createFive(page);
      const options = page.getByRole("button", { name: "Options for Shop 1" });
      await options.click();
      await page.getByRole("menu").waitFor();
      await show(page, "error");
      // A wide window shows the menu beside its button, above a toast.
      if (size.width < 768) expect(await covered(page), "the menu").to.deep.equal([]);
      await page.getByRole("menuitem", { name: "Delete mask" }).click();
      await page.getByRole("alertdialog").waitFor();
      expect(await covered(page), "the question").to.deep.equal([]);
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("alertdialog").waitFor({ state: "detached" });
      await options.click();
      await page.getByRole("menuitem", { name: "Edit mask" }).click();
      await page.getByRole("dialog").waitFor();
      for (const group of await page.getByRole("dialog").locator("summary").all()) await group.click();
      expect(await covered(page), "the dialog").to.deep.equal([]);
    });
  }

  it("move no button from under a pressed pointer when they end", async () => {
    const { page } = await openPage(360);
    await page.setViewportSize({ width: 360, height: 740 });
    await createFive(page);
    await page.getByRole("button", { name: "Options for Shop 1" }).click();
    await page.getByRole("menuitem", { name: "Edit mask" }).click();
    await page.getByRole("dialog").waitFor();
    await show(page, "success");
    const cancel = page.getByRole("dialog").getByRole("button", { name: "Cancel" });
    const before = await middleOf(cancel);
    await page.mouse.move(before.x, before.y);
    await page.mouse.down();
    await messages(page).getByRole("button", { name: "Close" }).dispatchEvent("click");
    await messages(page).getByRole("button", { name: "Close" }).waitFor({ state: "detached" });
    expect(await middleOf(cancel)).to.deep.equal(before);
    await page.mouse.up();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.waitForFunction(
      () => window.document.documentElement.style.getPropertyValue("--toast-height") === "0px",
    );
  });

  it("come without covering the control that has the focus", async () => {
    const { page } = await openPage(360);
    await createFive(page);
    const last = page.getByRole("button", { name: "Options for Shop 1" });
    await last.evaluate((control) => {
      control.scrollIntoView({ block: "end" });
      window.scrollBy(0, -40);
    });
    await last.focus();
    await show(page, "error");
    const [control, toast] = [await last.boundingBox(), await messages(page).boundingBox()];
    expect((control?.y ?? 0) + (control?.height ?? 0)).to.be.at.most(toast?.y ?? 0);
  });

  it("show the first lines of a long text, and the rest by a button", async () => {
    const { page } = await openPage(360);
    await page.getByRole("heading", { name: "Your Email Masks" }).waitFor();
    await page.evaluate((text) => window.hands.app.toasts.show("error", text), long);
    const toast = page.getByText(long).locator("xpath=ancestor::*[parent::*[@aria-live]]");
    const height = async (): Promise<number> => (await toast.boundingBox())?.height ?? 0;
    const more = messages(page).getByRole("button", { name: "More" });
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

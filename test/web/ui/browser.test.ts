import { expect } from "chai";
import type { Page } from "playwright-core";
import { expectAccessible } from "../../support/accessible.ts";
import type { Screen } from "../../support/screens.ts";
import { type ChromiumPage, type Theme, useChromiumPages } from "../support/chromiumPage.ts";
import { bundleGallery, serveGallery } from "./galleryServer.ts";

const screens: readonly Screen[] = [1280, 320].flatMap((width) =>
  (["light", "dark"] as const).map((theme) => ({ theme, width })),
);

describe("The design system in a real browser", () => {
  const openPage = useChromiumPages(async () => {
    const files = await bundleGallery();
    return serveGallery(async () => files);
  });
  let page: Page;
  let complaints: ChromiumPage["complaints"];

  const open = async (width: number, theme: Theme = "light"): Promise<void> => {
    ({ page, complaints } = await openPage(width, theme));
    await page.getByRole("heading", { name: "Gallery" }).waitFor();
  };

  /** Waits until the control of that name has the focus, else fails. */
  const focusOn = (role: "button" | "menuitem", name: string): Promise<void> =>
    page.getByRole(role, { name }).and(page.locator(":focus")).waitFor();

  it("passes axe on a wide and a narrow screen in both themes, with all popups open", async () => {
    const look = (where: string): Promise<void> => expectAccessible(page, where, screens);
    await open(1280);
    await look("the gallery");
    await page.getByRole("button", { name: "Actions for Shopping" }).click();
    await page.getByRole("menuitem").first().waitFor();
    await look("the menu");
    await page.getByRole("menuitem", { name: "Delete mask" }).click();
    await page.getByRole("alertdialog").waitFor();
    await look("the question");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Choose/ }).click();
    await page.getByRole("listbox").waitFor();
    await look("the choice");
    expect(complaints).to.deep.equal([]);
  });

  it("returns the focus to the menu's button after the confirmation that a menu item opened", async () => {
    await open(1280);
    await page.getByRole("button", { name: "Actions for Shopping" }).focus();
    await page.keyboard.press("ArrowUp");
    await focusOn("menuitem", "Delete mask");
    await page.keyboard.press("Enter");
    await page.getByRole("alertdialog").waitFor();
    await focusOn("button", "Cancel");
    await page.keyboard.press("Escape");
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    await focusOn("button", "Actions for Shopping");
  });

  it("stays where a link has led that was followed while the entry of a closed dialog was being left", async () => {
    await open(1280);
    await page.getByRole("button", { name: "Create Mask" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).waitFor();
    await page.evaluate(() => {
      const { history, location } = window;
      const back = history.back.bind(history);
      history.back = () => {
        back();
        location.hash = "#elsewhere";
      };
    });
    const steps = page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          let count = 0;
          window.addEventListener("popstate", () => {
            count += 1;
            if (count === 2) resolve();
          });
        }),
    );
    await page.keyboard.press("Escape");
    await steps;
    expect(new URL(page.url()).hash).to.equal("#elsewhere");
  });

  it("shows a dialog as a sheet on the toast at the lower edge below 768 px, and as a window above", async () => {
    for (const [width, isSheet] of [
      [767, true],
      [768, false],
    ] as const) {
      await open(width);
      await page.getByRole("button", { name: "Create Mask" }).click();
      // A trial click waits until the dialog no longer moves.
      await page.getByRole("button", { name: "Save", exact: true }).click({ trial: true });
      const box = (await page.getByRole("dialog").boundingBox()) ?? expect.fail("no dialog");
      const toast = await page.evaluate<number>(
        'parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--toast-height"))',
      );
      expect(toast).to.be.above(0);
      expect(box.width === width, `${width} px wide`).to.equal(isSheet);
      expect(Math.round(box.y + box.height) === 740 - toast, `on the toast at ${width} px`).to.equal(isSheet);
    }
  });

  it("keeps the width of a button while it is pending", async () => {
    await open(1280);
    const button = page.getByRole("button", { name: "Save Changes" });
    const before = await button.boundingBox();
    await button.click();
    expect(await button.getAttribute("aria-busy")).to.equal("true");
    expect(await button.boundingBox()).to.deep.equal(before);
  });

  for (const theme of ["light", "dark"] as const)
    it(`shows in the ${theme} theme what a quiet button is: words of a color and weight of their own, underlined where they lead somewhere`, async () => {
      await open(1280, theme);
      const looks = await page.evaluate<readonly string[]>(
        `[...document.querySelectorAll("main :is(a, button)[class*=quiet]")]
          .filter((one) => one.textContent.trim() !== "" && !one.disabled)
          .map((one) => {
            const text = getComputedStyle(one.querySelector('[class*="text"]'));
            const words = getComputedStyle(document.body);
            return [
              one.tagName,
              text.textDecorationLine,
              text.color !== words.color && "own color",
              Number(text.fontWeight) > Number(words.fontWeight) && "heavier",
            ].join(", ");
          })`,
      );
      expect(new Set(looks)).to.deep.equal(
        new Set(["BUTTON, none, own color, heavier", "A, underline, own color, heavier"]),
      );
    });

  it("never scrolls horizontally: at 320 px, and at 640 px with text twice as large", async () => {
    for (const [width, fontSize] of [
      [320, "100%"],
      [640, "200%"],
    ] as const) {
      await open(width);
      await page.evaluate(`document.documentElement.style.fontSize = "${fontSize}"`);
      const wider = await page.evaluate<readonly string[]>(
        `[...document.querySelectorAll("main *, header *")]
          .filter((one) => one.getBoundingClientRect().right > ${width} + 1)
          .map((one) => one.outerHTML.slice(0, 120))`,
      );
      expect(wider, `at ${width} px`).to.deep.equal([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).to.equal(width);
    }
  });

  it("renders text without contextual alternates: no font turns the x in 6x4 into a multiplication sign", async () => {
    await open(1280);
    const drawn = await page.evaluate<readonly string[]>(
      `[...new Set([...document.querySelectorAll("main *, header *, section *")]
        .map((one) => getComputedStyle(one).fontVariantLigatures))]`,
    );
    expect(drawn).to.deep.equal(["no-contextual"]);
  });

  for (const theme of ["light", "dark"] as const)
    it(`renders a disabled field differently from an editable one in the ${theme} theme, also when empty`, async () => {
      await open(1280, theme);
      const look = (label: string): Promise<readonly string[]> =>
        page.evaluate<readonly string[]>(
          `{
            const of = ({ textContent }) => textContent === ${JSON.stringify(label)};
            const field = [...document.querySelectorAll("label")].find(of).control;
            const { backgroundColor, borderTopStyle } = getComputedStyle(field.parentElement);
            [backgroundColor, borderTopStyle, getComputedStyle(field).cursor];
          }`,
        );
      const usable = await look("Description");
      const disabled = await look("Not in this plan");
      expect(disabled.slice(1)).to.deep.equal(["dashed", "not-allowed"]);
      expect(disabled[0]).to.not.equal(usable[0]);
    });

  it("shows where the focus is at every stop of the Tab key", async () => {
    await open(1280);
    const stops = new Set<string>();
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press("Tab");
      const place = await page.evaluate<string>("document.activeElement.outerHTML");
      if (place.startsWith("<body") || stops.has(place)) break;
      stops.add(place);
      const ringed = await page.evaluate(
        '[...document.querySelectorAll("body *")].some((one) => getComputedStyle(one).outlineStyle === "solid")',
      );
      expect(ringed, place.slice(0, 120)).to.equal(true);
    }
    expect(stops.size).to.be.greaterThan(20);
  });

  it("places its navigation at the lower edge below 768 px, within reach of a thumb", async () => {
    await open(360);
    const bar = await page.getByRole("navigation", { name: "Main" }).boundingBox();
    expect(Math.round((bar?.y ?? 0) + (bar?.height ?? 0))).to.equal(740);
    for (const link of await page.getByRole("navigation", { name: "Main" }).getByRole("link").all()) {
      const box = await link.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).to.be.at.least(44);
    }
  });
});

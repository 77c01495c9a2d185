// `npm run pictures` makes a page with pictures of all screens and dialogs, `npm run pictures -- settings` of those with
// this word in their names, `npm run pictures -- --accept` those that the tests compare, and `npm run pictures -- --guide`
// those of the README and the guide; `-- --extension` those of the extension, for the guide and for stores.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { takeGuidePictures } from "../docs/pictures.ts";
import { startBrowserServer } from "../support/browserServer.ts";
import { type Screen, showOn } from "../support/screens.ts";
import { acceptedFolder, acceptedPictures, pictureName } from "./accepted.ts";
import { takeExtensionPictures } from "./extensionPictures.ts";
import { type MadeUp, startMadeUp } from "./madeUp.ts";
import { createViewOpener, takePicture, untilStill } from "./openView.ts";
import { type View, views } from "./views.ts";

const galleryFolder = join(import.meta.dirname, "../../dist/pictures");

const bothThemes = (width: number): readonly Screen[] => [
  { theme: "light", width },
  { theme: "dark", width },
];

/** A view is opened once for each of the two: what is a panel on a wide screen is a sheet on a narrow one. */
const wideScreens = [1280, 1600, 768].flatMap(bothThemes);
const narrowScreens = bothThemes(360);
const screens = [...wideScreens, ...narrowScreens];

/** A dialog is shown as on the screen, all else in its whole length. */
const takeWhole = async (page: Page, path: string): Promise<void> => {
  const isOverlaid = await page
    .getByRole("dialog")
    .or(page.getByRole("alertdialog"))
    .or(page.getByRole("menu"))
    .count();
  await page.screenshot({ path, caret: "hide", fullPage: isOverlaid === 0 });
};

const escaped = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

const galleryPage = (taken: readonly View[]): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Pictures of all screens</title>
<style>
body { font: 14px sans-serif; margin: 24px; background: #8883 }
section > div { display: flex; gap: 16px; align-items: flex-start; overflow-x: auto; padding-bottom: 16px }
figure { margin: 0 } img { height: 360px; object-fit: cover; object-position: top; border: 1px solid #8888 }
</style>
<h1>Pictures of all screens</h1>
${taken
  .map(
    (view) =>
      `<section><h2>${escaped(view.name)}</h2><div>${screens
        .map((screen) => {
          const file = pictureName(view, screen);
          const caption = `${screen.width} px, ${screen.theme}`;
          return `<figure><a href="${file}"><img loading="lazy" src="${file}" alt="${escaped(view.name)}, ${caption}"></a><figcaption>${caption}</figcaption></figure>`;
        })
        .join("")}</div></section>`,
  )
  .join("\n")}
</html>
`;

const takeGallery = async (browser: Browser, madeUp: MadeUp, words: readonly string[]): Promise<void> => {
  const chosen = views.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  if (words.length === 0) rmSync(galleryFolder, { recursive: true, force: true });
  mkdirSync(galleryFolder, { recursive: true });
  const opener = createViewOpener(browser, madeUp);
  const missing: string[] = [];
  const take = (view: View, width: number, shown: readonly Screen[]): Promise<void> =>
    opener
      .show(view, { theme: "light", width, height: 800 }, async (page) => {
        for (const screen of shown) {
          await showOn(page, screen);
          await untilStill(page);
          await takeWhole(page, join(galleryFolder, pictureName(view, screen)));
        }
      })
      .catch((error: Error) => {
        missing.push(`${view.name}: ${error.message}`);
      });
  for (const view of chosen) {
    await take(view, 1280, wideScreens);
    await take(view, 360, narrowScreens);
    console.log(view.name);
  }
  await opener.leave();
  writeFileSync(join(galleryFolder, "index.html"), galleryPage(chosen));
  console.log(`All pictures are in ${join(galleryFolder, "index.html")}`);
  if (missing.length > 0) throw new Error(`Without a picture:\n${missing.join("\n")}`);
};

const accept = async (browser: Browser, madeUp: MadeUp): Promise<void> => {
  rmSync(acceptedFolder, { recursive: true, force: true });
  mkdirSync(acceptedFolder, { recursive: true });
  const opener = createViewOpener(browser, madeUp);
  for (const { file, view, screen } of acceptedPictures) {
    writeFileSync(join(acceptedFolder, file), await opener.show(view, screen, takePicture));
    console.log(file);
  }
  await opener.leave();
};

const inBrowser = async (use: (browser: Browser, madeUp: MadeUp) => Promise<void>): Promise<void> => {
  const service = await startBrowserServer();
  const madeUp = await startMadeUp();
  const browser = await chromium.connect(service.variables["TEST_BROWSER"] ?? "");
  try {
    await use(browser, madeUp);
  } finally {
    await browser.close();
    await service.stop();
    await madeUp.leave();
  }
};

const words = process.argv.slice(2);
if (words.includes("--guide")) await takeGuidePictures();
else if (words.includes("--extension")) await takeExtensionPictures();
else if (words.includes("--accept")) await inBrowser(accept);
else await inBrowser((browser, madeUp) => takeGallery(browser, madeUp, words));

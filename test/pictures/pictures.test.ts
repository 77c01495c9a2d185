import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { expectAccessible } from "../support/accessible.ts";
import { useBrowser } from "../support/browser.ts";
import { acceptedFolder, acceptedPictures } from "./accepted.ts";
import { differenceOf } from "./compare.ts";
import { type MadeUp, startMadeUp } from "./madeUp.ts";
import { createViewOpener, takePicture, type ViewOpener } from "./openView.ts";
import { sidewaysDialogsOn, smallTargetsOn } from "./targets.ts";
import { views } from "./views.ts";

const differences = join(import.meta.dirname, "../../dist/pictures/differences");

/** The most bytes that the accepted pictures add to the repository. */
const maximumBytes = 1_500_000;

const narrow = { theme: "light", width: 360, height: 740 } as const;

describe("All screens and dialogs", () => {
  const browser = useBrowser();
  let madeUp: MadeUp | undefined;
  let opener: ViewOpener;
  before(async () => {
    madeUp = await startMadeUp();
    opener = createViewOpener(browser(), madeUp);
  });
  after(async () => {
    await opener?.leave();
    await madeUp?.leave();
  });

  describe("on a narrow screen, for axe in both themes and for fingers", () => {
    for (const view of views)
      it(view.name, () =>
        opener.show(view, narrow, async (page) => {
          expect(await smallTargetsOn(page), "targets of less than 44 px").to.deep.equal([]);
          expect(await sidewaysDialogsOn(page), "dialogs that scroll sideways").to.deep.equal([]);
          await expectAccessible(page, view.name, [{ theme: "dark", width: 360 }]);
        }),
      );
  });

  describe("look as the accepted pictures show", () => {
    for (const { file, view, screen } of acceptedPictures)
      it(file, async () => {
        const taken = await opener.show(view, screen, takePicture);
        const difference = differenceOf(readFileSync(join(acceptedFolder, file)), taken);
        if (difference === undefined) return;
        mkdirSync(differences, { recursive: true });
        const path = join(differences, file);
        writeFileSync(path, difference.picture);
        writeFileSync(path.replace(".png", ".now.png"), taken);
        expect.fail(
          `${difference.text}: see ${path}, and what it is now beside it. If it is meant to look so, accept it by: npm run pictures -- --accept`,
        );
      });

    it("of which none is left over, and which are small", () => {
      expect(readdirSync(acceptedFolder).sort()).to.deep.equal(
        acceptedPictures.map(({ file }) => file).sort(),
      );
      const bytes = acceptedPictures.map(({ file }) => statSync(join(acceptedFolder, file)).size);
      expect(bytes.reduce((sum, size) => sum + size, 0)).to.be.at.most(maximumBytes);
    });
  });

  it("are seen to differ when a button moves by 8 pixels, or a color changes, and not when taken again", async () => {
    const [{ view, screen } = expect.fail("no picture is accepted")] = acceptedPictures;
    const [before, again, moved, recolored] = await opener.show(view, screen, async (page) => {
      const button = page.getByRole("button", { name: "Log in" });
      const withStyle = async (name: string, value: string): Promise<Buffer> => {
        // An attribute would be refused by the Content-Security-Policy.
        await button.evaluate((element, [set, to]) => element.style.setProperty(set, to), [
          name,
          value,
        ] as const);
        const picture = await takePicture(page);
        await button.evaluate((element, set) => element.style.removeProperty(set), name);
        return picture;
      };
      return [
        await takePicture(page),
        await takePicture(page),
        await withStyle("translate", "0 8px"),
        await withStyle("background-color", "#4a2a60"),
      ] as const;
    });
    expect(differenceOf(before, again)).to.equal(undefined);
    expect(differenceOf(before, moved)?.text).to.match(/squares of 4 × 4 pixels differ$/);
    expect(differenceOf(before, recolored)?.text).to.match(/squares of 4 × 4 pixels differ$/);
  });
});

import { expect } from "chai";
import { current } from "../../support/current.ts";
import { skipWithout } from "../../support/missing.ts";
import type { BrowserKind, Driver } from "./driver.ts";
import { byText, createUserPage, type UserPage } from "./page.ts";

/** Starts a browser and opens a page in it. */
const startOnce = async (kind: BrowserKind): Promise<Driver> => {
  const driver = await kind.start();
  try {
    await driver.newPage();
    return driver;
  } catch (error) {
    await driver.stop();
    throw error;
  }
};

/** Starts a browser; tries a second time when it or its driver fails. Undefined when it does not start at all. */
const startTwice = (kind: BrowserKind): Promise<Driver | undefined> =>
  startOnce(kind)
    .catch(() => startOnce(kind))
    .catch((error: unknown) => {
      console.error(`${kind.name} does not start: ${error}`);
      return undefined;
    });

/** The time in which a browser has to start, tried twice. */
const startLimitMs = 170_000;

/**
 * Gives each test of a `describe` a page in a browser without stored data. Skips them where the browser is missing or
 * does not start; after each, the page must have run without complaints.
 */
export const usePage = (kind: BrowserKind): UserPage => {
  let driver: Driver | undefined;
  let page: UserPage | undefined;
  before(async function () {
    this.timeout(startLimitMs);
    const missing = kind.missing();
    if (missing.length > 0) skipWithout(this, missing.join(" and "));
    driver = await startTwice(kind);
    if (driver === undefined) skipWithout(this, `a ${kind.name} that starts`);
  });
  after(() => driver?.stop());
  beforeEach(async () => {
    if (driver !== undefined) page = await createUserPage(await driver.newPage());
  });
  afterEach(async () => {
    expect(await page?.complaints()).to.deep.equal([]);
    expect(await page?.texts(byText("A new version is ready."))).to.deep.equal([]);
  });
  return current(() => page);
};

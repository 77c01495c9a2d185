import { expect } from "chai";
import { createRulesAndSync } from "../../../core/app/rulesAndSync.ts";
import { createArchive } from "../../../core/archive/archive.ts";
import { createDestinations } from "../../../core/destinations/destinations.ts";
import { createHeld } from "../../../core/held/held.ts";
import { type AppOnFakes, startApp } from "../../fakes/appOnFakes.ts";

/** The lists of screens that the address of a reloaded page opens before the socket is connected. */
const open = ({ signedIn }: AppOnFakes): void => {
  const { feature, masks } = signedIn();
  feature(createRulesAndSync).rules.open();
  feature(createArchive).open(masks.view$.value.all[0]?.id ?? "");
  feature(createHeld).open(null);
  feature(createDestinations);
};

const paths = ["GET /rules", "GET /archive", "GET /held"] as const;

const requestsOf = ({ server }: AppOnFakes): readonly number[] =>
  paths.map((path) => server.requestsTo(path).length);

describe("The first connection of the socket", () => {
  it("loads nothing again that a screen has loaded just before", async () => {
    const page = await startApp();
    open(page);
    await page.clock.advance(400);
    expect(requestsOf(page)).to.deep.equal([1, 1, 1]);
    page.sockets.latest().accept();
    await page.clock.advance(5_000);
    expect(requestsOf(page)).to.deep.equal([1, 1, 1]);
  });

  it("is no reason to load twice what a screen loads that is opened afterwards", async () => {
    const page = await startApp();
    await page.clock.advance(400);
    page.sockets.latest().accept();
    await page.clock.advance(5_000);
    open(page);
    await page.clock.advance(5_000);
    expect(requestsOf(page)).to.deep.equal([1, 1, 1]);
  });

  it("loads again what a screen has loaded long before, and so does every later connection", async () => {
    const page = await startApp();
    open(page);
    await page.clock.advance(4_000);
    page.sockets.latest().accept();
    await page.clock.advance(5_000);
    expect(requestsOf(page)).to.deep.equal([2, 2, 2]);
    page.sockets.latest().drop(1012);
    await page.clock.advance(5_000);
    page.sockets.latest().accept();
    await page.clock.advance(5_000);
    expect(requestsOf(page)).to.deep.equal([3, 3, 3]);
  });
});

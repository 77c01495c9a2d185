import "../../../support/dom.ts";
import { expect } from "chai";
import { restore, stub } from "sinon";
import { whenLineIsCheap } from "../../../../web/app/offline/costlyLine.ts";
import { loadOfflineSupport } from "../../../../web/app/offline/loadOfflineSupport.ts";
import { useDom } from "../../../support/jsdom.ts";

describe("The offline support", () => {
  useDom();
  afterEach(() => restore());

  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < 5; turns += 1) await Promise.resolve();
  };

  it("that failed to load is retried when the network returns, once for each failure", async () => {
    let loads = 0;
    const load = (): Promise<void> => {
      loads += 1;
      return loads < 3 ? Promise.reject(new Error("offline")) : Promise.resolve();
    };
    loadOfflineSupport(window, load);
    await settle();
    for (const expected of [2, 3, 3, 3]) {
      window.dispatchEvent(new window.Event("online"));
      await settle();
      expect(loads).to.equal(expected);
    }
  });

  it("that failed to load is retried after a minute too", async () => {
    let due = (): void => {};
    stub(window, "setTimeout").callsFake((work, afterMs) => {
      expect(afterMs).to.equal(60_000);
      due = () => work();
      return 0 as never;
    });
    let loads = 0;
    loadOfflineSupport(window, () => {
      loads += 1;
      return loads < 2 ? Promise.reject(new Error("offline")) : Promise.resolve();
    });
    await settle();
    expect(loads).to.equal(1);
    due();
    expect(loads).to.equal(2);
  });

  for (const costly of [{ saveData: true }, { type: "cellular" }, { effectiveType: "3g" }])
    it(`waits while the line is costly: ${JSON.stringify(costly)}`, () => {
      const connection = Object.assign(new EventTarget(), costly);
      let runs = 0;
      whenLineIsCheap({ connection }, () => {
        runs += 1;
      });
      connection.dispatchEvent(new Event("change"));
      expect(runs).to.equal(0);
      Object.assign(connection, { saveData: false, type: "wifi", effectiveType: "4g" });
      for (let changes = 0; changes < 2; changes += 1) connection.dispatchEvent(new Event("change"));
      expect(runs).to.equal(1);
    });

  it("begins at once where the line is fast, and where the browser tells nothing of it", () => {
    const runs: string[] = [];
    const connection = Object.assign(new EventTarget(), { saveData: false, effectiveType: "4g" });
    whenLineIsCheap({ connection }, () => runs.push("fast"));
    whenLineIsCheap({}, () => runs.push("unknown"));
    expect(runs).to.deep.equal(["fast", "unknown"]);
  });
});

import "../../support/dom.ts";
import { expect } from "chai";
import { restore, stub } from "sinon";
import { loadOfflineSupport } from "../../../web/offline/loadOfflineSupport.ts";
import { useDom } from "../../support/jsdom.ts";

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
      return setTimeout(() => {}, 0);
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
});

import { expect } from "chai";
import fc from "fast-check";
import { withStorageLease } from "../../../adapters/browser/tabMutex.ts";
import { createMemoryStorage } from "../../fakes/memoryStorage.ts";
import { createSeededRandom } from "../../fakes/seededRandom.ts";
import { createVirtualClock } from "../../fakes/virtualClock.ts";

const limits = { maxWaitMs: 5_000 };

const setUp = (capacity?: number) => {
  const clock = createVirtualClock();
  const storage = createMemoryStorage(capacity);
  let seed = 0;
  const open = () => {
    seed += 1;
    return withStorageLease({ storage: storage.openTab().local, clock, random: createSeededRandom(seed) });
  };
  return { clock, storage, open };
};

describe("A lock as a lease in the storage", () => {
  it("is held by one tab at a time, and every tab that waits for it gets it", async () => {
    const asking = fc.record({
      afterMs: fc.nat({ max: 300 }),
      tab: fc.nat({ max: 4 }),
      forMs: fc.nat({ max: 800 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(asking, { minLength: 1, maxLength: 5 }), async (all) => {
        const { clock, storage, open } = setUp();
        const tabs = Array.from({ length: 5 }, open);
        let inside = 0;
        let done = 0;
        for (const { afterMs, tab, forMs } of all) {
          await clock.advance(afterMs);
          void tabs[tab]?.("turn", limits, () => {
            inside += 1;
            expect(inside).to.equal(1);
            return new Promise<void>((resolve) => {
              clock.scheduler.schedule(() => {
                inside -= 1;
                done += 1;
                resolve();
              }, forMs);
            });
          });
        }
        await clock.advance(30_000);
        expect(done).to.equal(all.length);
        expect(storage.local.keys()).to.deep.equal([]);
      }),
      { numRuns: 200 },
    );
  });

  it("expires after 5 s when a tab never releases it", async () => {
    const { clock, open, storage } = setUp();
    void open()("turn", limits, () => new Promise(() => {}));
    await clock.advance(100);
    let began = 0;
    void open()("turn", limits, async (hadToWait) => {
      expect(hadToWait).to.equal(true);
      began = clock.now();
    });
    const from = clock.now();
    await clock.advance(10_000);
    expect(began - from).to.be.within(4_850, 5_050);
    expect(storage.local.keys()).to.deep.equal([]);
  });

  it("is ignored when the clock was set back since", async () => {
    const { clock, open, storage } = setUp();
    storage.local.write("turn", `abcdef ${clock.now() + 3_600_000}`);
    let done = false;
    void open()("turn", limits, async () => {
      done = true;
    });
    await clock.advance(200);
    expect(done).to.equal(true);
  });

  it("causes no waiting where the storage is not writable or contains an invalid value", async () => {
    const full = setUp(0);
    let done = 0;
    const work = async (): Promise<void> => {
      done += 1;
    };
    await full.open()("turn", limits, work);
    const { clock, open, storage } = setUp();
    storage.local.write("turn", "rubbish");
    void open()("turn", limits, work);
    await clock.advance(100);
    expect(done).to.equal(2);
  });
});

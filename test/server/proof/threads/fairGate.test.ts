import { expect } from "chai";
import { createFairGate, type FairGate, type Share } from "../../../../server/proof/threads/fairGate.ts";

const silent: readonly Share[] = [{ of: "silent.example", limit: 2 }];
const honest: readonly Share[] = [{ of: "honest.example", limit: 2 }];

describe("The checks of mail at the same time", () => {
  let gate: FairGate;
  beforeEach(() => {
    gate = createFairGate({ total: 4, maxWaiting: 30, maxWaitMs: 20_000 });
  });

  it("leave room for others while the mails of one domain wait", async () => {
    const admitted: string[] = [];
    const entered = Array.from({ length: 30 }, () =>
      gate.enter(silent).then((leave) => {
        admitted.push("silent");
        return leave;
      }),
    );
    const leave = await gate.enter(honest);
    expect(admitted).to.deep.equal(["silent", "silent"]);
    leave();
    for (const one of entered) (await one)();
    expect(admitted).to.have.length(30);
  });

  it("need room in every share of a mail", async () => {
    const leaves = [await gate.enter(silent), await gate.enter(silent)];
    let isIn = false;
    const both = gate.enter([...honest, ...silent]).then((leave) => {
      isIn = true;
      return leave;
    });
    (await gate.enter(honest))();
    expect(isIn).to.equal(false);
    leaves[0]?.();
    (await both)();
    leaves[1]?.();
  });

  it("are at most as many as there is room for, of whichever domains, and each that ends lets one in", async () => {
    const admitted: string[] = [];
    const enter = async (domain: string): Promise<() => void> => {
      const leave = await gate.enter([{ of: domain, limit: 2 }]);
      admitted.push(domain);
      return leave;
    };
    const entered = ["a", "a", "b", "c", "d", "e"].map((name) => enter(`${name}.example`));
    const first = await entered[0];
    await entered[3];
    expect(admitted).to.have.length(4);
    first?.();
    (await entered[4])?.();
    await entered[5];
    expect(admitted).to.have.length(6);
  });

  it("end with a word of it when they waited too long, and take no place of others then", async () => {
    gate = createFairGate({ total: 1, maxWaiting: 30, maxWaitMs: 1 });
    const leave = await gate.enter(silent);
    const late = await gate.enter(honest).catch((error: Error) => error.message);
    expect(late).to.equal("waited too long");
    leave();
    (await gate.enter(honest))();
  });

  it("are refused when too many wait", async () => {
    const leaves = [await gate.enter(silent), await gate.enter(silent)];
    const waiting = Array.from({ length: 30 }, () => gate.enter(silent));
    const refused = await gate.enter(silent).catch((error: Error) => error.message);
    expect(refused).to.equal("too many wait");
    for (const leave of leaves) leave();
    for (const one of waiting) (await one)();
  });
});

import { expect } from "chai";
import * as TE from "fp-ts/lib/TaskEither.js";
import { SingleFlight } from "../../../core/kernel/singleFlight.ts";
import { createVirtualClock } from "../../fakes/virtualClock.ts";

const setUp = () => {
  const clock = createVirtualClock();
  const singleFlight = new SingleFlight(clock.scheduler);
  const submit = async (what?: string): Promise<string> =>
    (await singleFlight.run(TE.right<string, string>("done"), "busy", what)())._tag === "Right"
      ? "done"
      : "busy";
  return { clock, singleFlight, submit };
};

describe("A submission", () => {
  it("is refused for 500 ms after an identical one (SI7)", async () => {
    const { clock, submit } = setUp();
    expect([await submit(), await submit()]).to.deep.equal(["done", "busy"]);
    await clock.advance(499);
    expect(await submit()).to.equal("busy");
    await clock.advance(1);
    expect(await submit()).to.equal("done");
  });

  it("with other content does not wait", async () => {
    const { submit } = setUp();
    expect([await submit("a"), await submit("b"), await submit("b")]).to.deep.equal(["done", "done", "busy"]);
  });

  it("waits for its own 500 ms, independently of other submissions", async () => {
    const { clock, singleFlight, submit } = setUp();
    await submit("a");
    await clock.advance(400);
    await submit("b");
    await clock.advance(400);
    expect(singleFlight.busy$.value).to.equal(true);
    expect(await submit("b")).to.equal("busy");
    await clock.advance(100);
    expect(singleFlight.busy$.value).to.equal(false);
  });
});

import { expect } from "chai";
import { left, right } from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import { type Failure, network } from "../../../../core/kernel/failure.ts";
import type { ServerMessage } from "../../../../core/realtime/messages.ts";
import { createReloadRules } from "../../../../core/rules/editing/reloadRules.ts";
import { createSeededRandom } from "../../../fakes/seededRandom.ts";
import { createVirtualClock, settled, type VirtualClock } from "../../../fakes/virtualClock.ts";

describe("Rules that are reloaded", () => {
  let clock: VirtualClock;
  let lists: number;
  beforeEach(() => {
    clock = createVirtualClock();
    lists = 0;
  });

  const reload = (
    socket: "done" | "refused" | "silent" | "closed",
    isInStep = true,
  ): TaskEither<Failure, void> =>
    createReloadRules({
      clock,
      random: createSeededRandom(1),
      isLoaded: () => isInStep,
      list: () => async () => {
        lists += 1;
        return right(undefined);
      },
      request: (messages, isAnswer) => async () => {
        if (socket === "closed") return left(network("WebSocket not connected"));
        if (socket === "silent") return new Promise(() => {});
        const { requestId } = (messages as unknown as { readonly data: { readonly requestId: string } }).data;
        const answer: ServerMessage = {
          type: "sync_complete",
          data: { success: socket === "done", resource: "masks", requestId },
        };
        return isAnswer(answer) ? right(answer) : left(network("another answer"));
      },
    });

  it("are not requested where the server sends changes over the socket", async () => {
    expect(await reload("done")()).to.deep.equal(right(undefined));
    await clock.advance(10_000);
    expect(lists).to.equal(0);
  });

  for (const how of ["refused", "closed"] as const)
    it(`are requested over HTTP at once when the socket is ${how}`, async () => {
      await reload(how)();
      expect(lists).to.equal(1);
    });

  it("are requested over HTTP when the socket does not answer within 5 s (SY5)", async () => {
    const done = reload("silent")();
    await clock.advance(4_999);
    expect(lists).to.equal(0);
    await clock.advance(1);
    await done;
    expect(lists).to.equal(1);
  });

  it("are requested over HTTP while the list shown comes from the cache", async () => {
    await reload("done", false)();
    await settled();
    expect(lists).to.equal(1);
  });
});

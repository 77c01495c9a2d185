import { clockContract } from "../contracts/clockContract.ts";
import { makeVirtualClock } from "./virtualClock.ts";

describe("The virtual clock", () => {
  clockContract(() => {
    const clock = makeVirtualClock();
    return { clock, wait: clock.advance };
  });
});

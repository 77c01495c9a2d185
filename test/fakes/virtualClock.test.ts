import { clockContract } from "../contracts/clockContract.ts";
import { createVirtualClock } from "./virtualClock.ts";

describe("The virtual clock", () => {
  clockContract(() => {
    const clock = createVirtualClock();
    return { clock, wait: clock.advance };
  });
});

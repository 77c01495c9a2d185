import { tabsContract } from "../contracts/tabsContract.ts";
import { makeFakeTabs } from "./fakeTabs.ts";
import { makeVirtualClock } from "./virtualClock.ts";

describe("The tabs of a browser that is not there", () => {
  tabsContract(async () => {
    const clock = makeVirtualClock();
    const { openTab } = makeFakeTabs(clock);
    return { open: async () => openTab(), wait: clock.advance };
  });
});

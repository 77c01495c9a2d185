import { tabsContract } from "../contracts/tabsContract.ts";
import { createFakeTabs } from "./fakeTabs.ts";
import { createVirtualClock } from "./virtualClock.ts";

describe("The fake tabs", () => {
  tabsContract(async () => {
    const clock = createVirtualClock();
    const { openTab } = createFakeTabs(clock);
    return { open: async () => openTab(), wait: clock.advance };
  });
});

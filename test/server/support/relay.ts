import type { Tier } from "../../../core/tiers/tier.ts";
import type { Database } from "../../../server/platform/store/database.ts";
import { current } from "../../support/current.ts";
import { type RunningListener, useListener } from "./listener.ts";
import { addMask, addOwner, type Owner, type TestMask } from "./owners.ts";

/** A user with a mask, and the listener that receives its mail; new for each test. */
export interface TestRelay {
  readonly owner: Owner;
  readonly mask: TestMask;
  readonly relay: RunningListener;
}

/** Creates a user of a tier with a mask and starts the listener, for each test of a `describe`. */
export const useRelay = (database: () => Database, tier?: Tier): TestRelay => {
  let owner: Owner | undefined;
  let mask: TestMask | undefined;
  beforeEach(async () => {
    owner = await addOwner(database().db, tier);
    mask = await addMask(database().db, owner);
  });
  return {
    owner: current(() => owner),
    mask: current(() => mask),
    relay: useListener(database),
  };
};

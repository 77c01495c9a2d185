import * as t from "io-ts";
import { Tier } from "../tiers/tier.ts";

const KeyStatus = t.union([t.literal("configured"), t.literal("not-configured")]);

/** Who is signed in (A3). */
export const User = t.intersection([
  t.type({
    email: t.string,
    keyStatus: KeyStatus,
    subscription: t.intersection([
      t.type({ tier: Tier, status: t.string }),
      /** `isPaid`: it is being paid for. `endsAt`: when it ends, for one that was cancelled; ISO 8601. */
      t.partial({ isPaid: t.boolean, endsAt: t.string }),
    ]),
    twoFactor: t.type({ enabled: t.boolean }),
  }),
  /** `id`: opaque, and the same whatever the address is. */
  t.partial({ id: t.string, created: t.string }),
]);
export type User = t.TypeOf<typeof User>;

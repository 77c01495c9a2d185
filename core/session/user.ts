import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { Tier } from "../tiers/tier.ts";

const KeyStatus = t.union([t.literal("configured"), t.literal("not-configured")]);

/** The signed-in user. */
export const User = t.intersection([
  t.type({
    email: t.string,
    keyStatus: KeyStatus,
    subscription: t.intersection([
      t.type({ tier: Tier, status: t.string }),
      /** `isPaid`: the plan is being paid. `endsAt`: the end of a canceled plan, in ISO 8601. */
      t.partial({ isPaid: t.boolean, endsAt: t.string }),
    ]),
    twoFactor: t.type({ enabled: t.boolean }),
  }),
  /** `id` is opaque and does not change with the address. */
  t.partial({ id: t.string, created: t.string }),
]);
export type User = t.TypeOf<typeof User>;

/** The user with settings, usage and limits. Dates are ISO 8601. */
export const Account = t.intersection([
  User,
  t.partial({
    /** The account belongs to somebody who runs the server. */
    isOperator: t.boolean,
    settings: t.partial({
      contentAccessEnabled: t.boolean,
      contentAccessAcknowledged: t.boolean,
    }),
    usage: t.type({
      masks: t.intersection([
        t.type({ active: t.number }),
        /** The number of all masks, active or not, which `maxMasks` limits. */
        t.partial({ total: t.number }),
      ]),
      emails: t.intersection([
        t.type({ thisMonth: t.number, forwarded: t.number, blocked: t.number }),
        /** Mails that the user has sent from masks, by recipient; absent without any. */
        t.partial({ replied: t.number }),
      ]),
    }),
    limits: t.type({
      /** null means no limit, here and for mails. */
      maxMasks: t.union([t.number, t.null]),
      emailsPerMonth: t.union([t.number, t.null]),
      storageLimit: t.string,
      historyRetention: t.string,
    }),
  }),
]);
export type Account = t.TypeOf<typeof Account>;

/** Returns the caller's account. */
export const getAccount = endpoint("GET", "/account", { answer: Account });

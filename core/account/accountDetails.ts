import * as t from "io-ts";
import { User } from "./user.ts";

/** The user with settings, usage and limits (B3). Dates are ISO 8601. */
export const Account = t.intersection([
  User,
  t.partial({
    settings: t.partial({
      contentAccessEnabled: t.boolean,
      contentAccessAcknowledged: t.boolean,
    }),
    usage: t.type({
      masks: t.intersection([
        t.type({ active: t.number }),
        /** All of them, switched off or not: what `maxMasks` limits. */
        t.partial({ total: t.number }),
      ]),
      emails: t.type({ thisMonth: t.number, forwarded: t.number, blocked: t.number }),
    }),
    limits: t.type({
      /** null means unlimited. */
      maxMasks: t.union([t.number, t.null]),
      emailsPerMonth: t.number,
      storageLimit: t.string,
      historyRetention: t.string,
    }),
  }),
]);
export type Account = t.TypeOf<typeof Account>;

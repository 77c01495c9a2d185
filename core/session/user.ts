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
      /** A `SenderShown`: how the senders of forwarded mail are shown, */
      senderShown: t.string,
      /** The confirmed address that new masks forward to; absent for that of the account. */
      forwardTo: t.string,
      /** The user gets a mail about newly held mail, once a day at most. */
      heldNotices: t.boolean,
      /** The last mails of each mask are kept for 24 hours to test rules with. */
      keepLastMails: t.boolean,
      /** A `MaskFormat`: what the addresses of new masks are made of; absent while none is chosen. */
      maskFormat: t.unknown,
      /** The colors of labels, by name without case and accents; others are gray. */
      labelColors: t.record(t.string, t.string),
    }),
    usage: t.type({
      masks: t.intersection([
        t.type({ active: t.number }),
        /** The number of all masks, active or not, which `maxMasks` limits. */
        t.partial({ total: t.number }),
      ]),
      emails: t.intersection([
        t.type({ thisMonth: t.number, forwarded: t.number, blocked: t.number }),
        t.partial({
          /** Mails that the user has sent from masks, by recipient; absent without any. */
          replied: t.number,
          /** Those of today (UTC), which `repliesPerDay` limits. */
          repliedToday: t.number,
        }),
      ]),
    }),
    limits: t.intersection([
      t.type({
        /** null means no limit, here and for mails. */
        maxMasks: t.union([t.number, t.null]),
        emailsPerMonth: t.union([t.number, t.null]),
        storageLimit: t.string,
        historyRetention: t.string,
      }),
      t.partial({ repliesPerDay: t.number }),
    ]),
  }),
]);
export type Account = t.TypeOf<typeof Account>;

/** Returns the address that new masks forward to. */
export const defaultForwardTo = (
  account: Account | null,
  session: { readonly kind: string; readonly user?: User },
): string => account?.settings?.forwardTo ?? session.user?.email ?? "";

/** Returns the caller's account. */
export const getAccount = endpoint("GET", "/account", { answer: Account });

import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { completed, dateText, givenFields, idText } from "../api/wireCodecs.ts";
import { limitsOf, parseTier, Tier } from "../tiers/tier.ts";

type Given = Readonly<Record<string, unknown>>;

const KeyStatus = t.union([t.literal("configured"), t.literal("not-configured")]);

const UserFields = t.intersection([
  t.type({
    email: t.string,
    subscription: t.intersection([
      t.type({ tier: Tier, status: t.string }),
      t.partial({
        /** The plan is being paid. */
        isPaid: t.boolean,
        /** The end of a canceled plan, in ISO 8601. */
        endsAt: t.string,
        /** The server named no tier. */
        isAssumed: t.boolean,
      }),
    ]),
    twoFactor: t.type({ enabled: t.boolean }),
  }),
  /** `id` is opaque and does not change with the address; `keyStatus` is absent where the server does not say it. */
  t.partial({ id: t.string, created: t.string, keyStatus: KeyStatus }),
]);

/** Completes a user of whom a server says no more than the address: the plan is free, and there is no second factor. */
const completeUser = ({ id, created, keyStatus, subscription, twoFactor, ...rest }: Given): Given => ({
  ...rest,
  ...(id === undefined ? {} : { id: idText(id) }),
  ...(created === undefined ? {} : { created: dateText(created) }),
  ...(KeyStatus.is(keyStatus) ? { keyStatus } : {}),
  subscription: {
    status: "active",
    ...(givenFields(subscription)["tier"] === undefined ? { tier: "free", isAssumed: true } : {}),
    ...givenFields(subscription),
  },
  twoFactor: { enabled: false, ...givenFields(twoFactor) },
});

/** The signed-in user. */
export const User = completed(UserFields, completeUser);
export type User = t.TypeOf<typeof User>;

const AccountFields = t.intersection([
  UserFields,
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
      masks: t.partial({
        active: t.number,
        /** The number of all masks, active or not, which `maxMasks` limits. */
        total: t.number,
      }),
      emails: t.partial({
        thisMonth: t.number,
        forwarded: t.number,
        blocked: t.number,
        /** Mails that the user has sent from masks, by recipient; absent without any. */
        replied: t.number,
        /** Those of today (UTC), which `repliesPerDay` limits. */
        repliedToday: t.number,
      }),
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

/** Completes limits of which a server names some (AC4): the others are those of the plan, storage and history the least. */
const completeLimits = (limits: unknown, tier: unknown): Given => {
  const ofTier = limitsOf[parseTier(typeof tier === "string" ? tier : undefined)];
  return {
    maxMasks: ofTier.masks,
    emailsPerMonth: ofTier.emailsPerMonth,
    storageLimit: limitsOf.free.storage,
    historyRetention: limitsOf.free.history,
    ...withNulls(limits, ["maxMasks", "emailsPerMonth"]),
  };
};

/** Returns the given fields, and of the named ones those that are null, which says that there is no limit. */
const withNulls = (received: unknown, names: readonly string[]): Given => {
  const nulls = Object.entries(received ?? {}).filter(
    ([name, value]) => value === null && names.includes(name),
  );
  return { ...givenFields(received), ...Object.fromEntries(nulls) };
};

const completeAccount = ({ usage, limits, settings, ...user }: Given): Given => {
  const complete = completeUser(user);
  return {
    ...complete,
    ...(settings === undefined ? {} : { settings: givenFields(settings) }),
    ...(usage === undefined
      ? {}
      : {
          usage: {
            masks: givenFields(givenFields(usage)["masks"]),
            emails: givenFields(givenFields(usage)["emails"]),
          },
        }),
    ...(limits === undefined
      ? {}
      : { limits: completeLimits(limits, givenFields(complete["subscription"])["tier"]) }),
  };
};

/** The user with settings, usage and limits. Dates are ISO 8601. */
export const Account = completed(AccountFields, completeAccount);
export type Account = t.TypeOf<typeof Account>;

/** Returns the address that new masks forward to. */
export const defaultForwardTo = (
  account: Account | null,
  session: { readonly kind: string; readonly user?: User },
): string => account?.settings?.forwardTo ?? session.user?.email ?? "";

/** Returns the caller's account. */
export const getAccount = endpoint("GET", "/account", { answer: Account });

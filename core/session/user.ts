import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { completed, dateText, givenFields, idText } from "../api/wireCodecs.ts";
import { limitsOf, parseTier, Tier } from "../tiers/tier.ts";

type Given = Readonly<Record<string, unknown>>;

const KeyStatus = t.union([t.literal("configured"), t.literal("not-configured")]);

const UserFields = t.intersection([
  t.type({
    /** Empty where the server does not say it. */
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
  t.partial({
    id: t.string,
    created: t.string,
    keyStatus: KeyStatus,
    /** A `KeyOfferAnswer`: what a user without a key has answered to the offer to encrypt mail. */
    keyOffer: t.string,
    /** A `PasskeyOfferAnswer`; absent before the user has answered, or where the server does not say it. */
    passkeyOffer: t.string,
  }),
]);

/** Completes a user of whom a server says little: the address is empty, the plan is free, and there is no second factor. */
const completeUser = ({ id, created, keyStatus, subscription, twoFactor, ...rest }: Given): Given => ({
  email: "",
  ...rest,
  id: idText(id),
  created: dateText(created),
  keyStatus: KeyStatus.is(keyStatus) ? keyStatus : undefined,
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
      /** An `ActionLinkPlace`: where forwarded mail has links that act on its mask. */
      actionLinks: t.string,
      /** An `UnsubscribeMode`: what "Unsubscribe" does with forwarded mail of mailing lists. */
      unsubscribe: t.string,
      /** Answers to invitations in forwarded mail go through the mask. */
      calendarsThroughMask: t.boolean,
      /** Mail to the name of a mask with a tag behind it ("name+tag@") is taken. */
      maskTags: t.boolean,
      /** The confirmed address that new masks forward to; absent for that of the account. */
      forwardTo: t.string,
      /** The user gets a mail about newly held mail, once a day at most. */
      heldNotices: t.boolean,
      /** The last mails of each mask are kept for 24 hours to test rules with. */
      keepLastMails: t.boolean,
      /** Codes in the mail of all masks are found and shown at once. */
      showCodes: t.boolean,
      /** A `MaskFormat`: what the addresses of new masks are made of; absent while none is chosen. */
      maskFormat: t.unknown,
      /** The `SharedListSettings` that all devices share; absent while none are chosen. */
      maskListSettings: t.unknown,
      /** The colors of labels, by name without case and accents; others are gray. */
      labelColors: t.record(t.string, t.string),
    }),
    usage: t.intersection([
      t.type({
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
      /** The mails that are held; absent without any. */
      t.partial({ held: t.number }),
    ]),
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
  const { masks, emailsPerMonth } = limitsOf[parseTier(typeof tier === "string" ? tier : null)];
  const { storage, history } = limitsOf.free;
  const least = { maxMasks: masks, emailsPerMonth, storageLimit: storage, historyRetention: history };
  const isUnlimited = (name: string): boolean => name === "maxMasks" || name === "emailsPerMonth";
  const named = Object.entries(limits ?? {}).filter(([name, value]) => value !== null || isUnlimited(name));
  return { ...least, ...Object.fromEntries(named) };
};

const completeAccount = ({ usage, limits, settings, ...user }: Given): Given => {
  const complete = completeUser(user);
  const { masks, emails, held } = givenFields(usage);
  return {
    ...complete,
    settings: settings && givenFields(settings),
    usage: usage && { masks: givenFields(masks), emails: givenFields(emails), held },
    limits: limits && completeLimits(limits, givenFields(complete["subscription"])["tier"]),
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
export const getAccount = endpoint("GET", "/account", { tokens: "account:read", answer: Account });

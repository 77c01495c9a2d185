import * as t from "io-ts";
import { refined } from "../api/textCodecs.ts";
import { dayMs, hourMs } from "../kernel/durations.ts";

/** A number of mails or days; `most` as it is shown. */
const wholeNumber = (most: string): t.Type<number, number, unknown> =>
  refined(
    t.number,
    (value) => Number.isInteger(value) && value >= 1 && value <= Number(most.replace(",", "")),
    `Enter a number from 1 to ${most}`,
  );

/** The fate of a mask that expires: it is switched off, it holds its mail from then on, or it is deleted. */
const ExpiryAction = t.keyof({ disable: null, hold: null, delete: null });
export type ExpiryAction = t.TypeOf<typeof ExpiryAction>;

/** The contract names the property `then`; its value is text, so that no promise takes it for a method. */
// biome-ignore lint/suspicious/noThenProperty: the contract's name
const End = t.type({ then: ExpiryAction });

/** Up to the largest time that JavaScript's Date can have. */
const Moment = refined(t.number, (at) => Number.isInteger(at) && at > 0 && at <= 8.64e15, "Choose a date");

const isoDay = /^\d{4}-\d\d-\d\d$/;

/** Clocks differ from UTC by at most this, which leaves a margin. */
const maxZoneMs = 15 * hourMs;

/** A day belongs to the moment at which it ends somewhere on earth; one that does not exist has none. */
const isDayOf = ({ at, lastDay }: ExpiryConditions): boolean =>
  lastDay === undefined || (at !== undefined && Math.abs(Date.parse(lastDay) + dayMs - at) <= maxZoneMs);

const isSomething = ({ at, mails, idleDays, firstSender }: ExpiryConditions): boolean =>
  firstSender === true || [at, mails, idleDays].some((limit) => limit !== undefined);

const ExpiryConditions = t.partial({
  /** Milliseconds since 1970. */
  at: Moment,
  /** The day that ends at `at` where the owner lives, "2026-12-24", by which notifications name it. */
  lastDay: refined(t.string, (text) => isoDay.test(text), "Choose a date"),
  /** After this many mails. */
  mails: wholeNumber("999,999"),
  /** After this many days without mail. */
  idleDays: wholeNumber("3,650"),
  /** After the first mail only its sender may write: mail of others is held, or otherwise refused. */
  firstSender: t.boolean,
});
type ExpiryConditions = t.TypeOf<typeof ExpiryConditions>;

/** The expiry of a mask, by the first condition that is met, and its fate then. */
export const NewExpiry = refined(
  refined(t.exact(t.intersection([End, ExpiryConditions])), isSomething, "Choose when the mask expires"),
  isDayOf,
  "The last day must be the one that ends at the expiry",
);
export type NewExpiry = t.TypeOf<typeof NewExpiry>;

/** The expiry of a mask as the server answers it. */
export const Expiry = t.intersection([
  End,
  t.partial({
    at: t.number,
    lastDay: t.string,
    mails: t.number,
    idleDays: t.number,
    firstSender: t.boolean,
    /** The number of `mails` that are left. */
    mailsLeft: t.number,
    /** The time at which `idleDays` without mail will have passed, in milliseconds since 1970. */
    idleAt: t.number,
  }),
]);
export type Expiry = t.TypeOf<typeof Expiry>;

/** Returns when a mask expires by date or for want of mail, in milliseconds since 1970; null when neither can happen. */
export const expiryTime = (
  { at, idleDays }: Pick<Expiry, "at" | "idleDays">,
  lastMailAt: number,
): number | null => {
  const times = [
    ...(at === undefined ? [] : [at]),
    ...(idleDays === undefined ? [] : [lastMailAt + idleDays * dayMs]),
  ];
  return times.length === 0 ? null : Math.min(...times);
};

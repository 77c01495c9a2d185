import { dayOf } from "../../../core/kernel/calendarDay.ts";
import { registrableDomain } from "../../platform/dns/registrableDomain.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { RowStatement } from "../../platform/store/engine.ts";
import type { Evidence } from "../../proof/evidence.ts";
import type { MailDecision } from "../decision/mailDecision.ts";
import type { MailOrigin } from "./senderRates.ts";

/** The days of one process in which an account has had all that a sender may send it. */
export interface UsedUpShares {
  readonly add: (keys: readonly string[]) => void;
  /** True if one of these sources has used up its share of the account. */
  readonly isUsedUp: (userId: string, sources: readonly string[]) => boolean;
}

export const maxUsedUp = 10_000;
const largestLimit = Number.MAX_SAFE_INTEGER;

const proven = (domain: string): string => `domain:${domain}`;
const claimed = (domain: string): string => `claimed:${domain}`;
const ofNetwork = (network: string): string => `network:${network}`;

const unprovenSources = ({ domain, network }: MailOrigin): readonly string[] => [
  claimed(domain),
  ofNetwork(network),
];

/** SPF proves the envelope's domain; so does a proven author of the same domain. */
const isProven = (domain: string, senderDomain: string, evidence: Evidence | null): boolean =>
  evidence !== null &&
  (evidence.authentication.spf === "pass" ||
    (evidence.proof === "proven" && registrableDomain(senderDomain) === domain));

/**
 * Returns what a mail's daily share is counted for: its domain when that is proven, otherwise the network and, apart
 * from the domain's own mail, the domain it claims. So nobody uses up the share of a domain by writing its name.
 */
export const shareSources = (
  { domain, network }: MailOrigin,
  { senderDomain, evidence }: Pick<MailDecision, "senderDomain" | "evidence">,
): readonly string[] => {
  if (domain === "") return [ofNetwork(network)];
  return isProven(domain, senderDomain, evidence) ? [proven(domain)] : unprovenSources({ domain, network });
};

/** True if the account would refuse a mail from there, whether or not it proves to be from its domain. */
export const isShareUsedUp = (usedUp: UsedUpShares, userId: string, origin: MailOrigin): boolean => {
  const { domain, network } = origin;
  if (domain === "") return usedUp.isUsedUp(userId, [ofNetwork(network)]);
  return usedUp.isUsedUp(userId, [proven(domain)]) && usedUp.isUsedUp(userId, unprovenSources(origin));
};

const takeShare: RowStatement = {
  columns: { user_id: "text", day: "text", source: "text", received: "bigint", most: "bigint" },
  text: (rows) =>
    `insert into sender_days (user_id, day, source, received, most)
     select given.user_id, given.day, given.source, given.received, given.most
     from ${rows} join users on users.id = given.user_id
     where given.received <= given.most
     on conflict (user_id, day, source) do update set
       received = sender_days.received + excluded.received, most = excluded.most
     where sender_days.received + excluded.received <= excluded.most
     returning user_id as "userId", source`,
};

interface SharedMail {
  readonly decisions: readonly MailDecision[];
  /** Empty for mail that is not limited. */
  readonly sources: readonly string[];
}

const keyOf = ({ userId, source }: { readonly userId: string; readonly source: string }): string =>
  `${userId} ${source}`;

/** Sorted, so that two processes lock rows in the same order. */
const sharesOf = (mails: readonly SharedMail[], percent: number) => {
  const shares = new Map<string, { userId: string; source: string; received: number; most: number }>();
  for (const { decisions, sources } of mails)
    for (const { route, decision } of decisions) {
      const { userId, emailsPerMonth } = route;
      if (emailsPerMonth === largestLimit || decision.block !== null) continue;
      const most = Math.max(1, Math.floor((emailsPerMonth * percent) / 100));
      for (const source of sources) {
        const key = keyOf({ userId, source });
        const share = shares.get(key) ?? { userId, source, received: 0, most };
        shares.set(key, share);
        share.received += 1;
        share.most = Math.min(share.most, most);
      }
    }
  return [...shares].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, share]) => share);
};

/**
 * Takes mails from what their senders may send to an account in a day (UTC): `percent` of the plan's month; exact also
 * under parallel transactions. Returns the shares that are used up; then roll back the transaction.
 */
export const takeDailyShares = async (
  { engine }: Pick<Database, "engine">,
  db: Db,
  mails: readonly SharedMail[],
  { now, percent }: { readonly now: number; readonly percent: number },
): Promise<readonly string[]> => {
  const shares = percent < 100 ? sharesOf(mails, percent) : [];
  if (shares.length === 0) return [];
  const day = dayOf(now);
  const taken = await engine.runRows<{ userId: string; source: string }>(
    db,
    takeShare,
    shares.map(({ userId, source, received, most }) => [userId, day, source, received, most]),
  );
  const stored = new Set(taken.map(keyOf));
  return shares.map(keyOf).filter((key) => !stored.has(key));
};

/** Deletes the counts of earlier days. */
export const pruneSenderDays = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom("sender_days").where("day", "<", dayOf(now)).execute();
};

/** Creates an empty memory of at most 10,000 shares of the current day. */
export const createUsedUpShares = (now: () => number): UsedUpShares => {
  const known = new Set<string>();
  let day = "";
  const today = (): ReadonlySet<string> => {
    if (day !== dayOf(now())) known.clear();
    day = dayOf(now());
    return known;
  };
  return {
    add: (keys) => {
      const size = today().size;
      for (const key of keys.slice(0, maxUsedUp - size)) known.add(key);
    },
    isUsedUp: (userId, sources) => {
      if (known.size === 0) return false;
      const all = today();
      return sources.some((source) => all.has(keyOf({ userId, source })));
    },
  };
};

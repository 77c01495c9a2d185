import { hash as digest } from "node:crypto";
import { exhaustMap, merge, Subject, throttleTime, timer } from "rxjs";
import type { Clock } from "../../../core/ports/clock.ts";
import type { KeyedHash } from "../ops/keyedHash.ts";
import { errorTrace, type Log } from "../ops/log.ts";
import { type Allowance, type Bucket, setUsed, usedNow } from "./buckets.ts";
import { nearLimit, type RateExchange, type TakenAmount, type UsedAmount } from "./rateExchange.ts";
import type { OnOthers, Rates } from "./rates.ts";
import { createRecentKeys } from "./recentKeys.ts";

/** How often this process exchanges what was taken, and how often while a key that is taken here comes near its limit. */
export const exchangeEachMs = 1_000;
export const hurriedEachMs = 100;
/** For how long after a key was taken this process wants to know soon what others take of it. */
const nearForMs = 1_000;
/** The most keys of one exchange, and of one between those of each second, so that a flood does not load the database. */
const maxToldKeys = 500;
const maxHurriedKeys = 50;
/** The most keys that others have told of and nobody has used here. */
const maxForeignKeys = 20_000;
/** 128 bits as base64url. */
const hashLength = 22;

interface SharedBucket extends Bucket {
  readonly key: string;
  allowance: Allowance;
  /** What was taken here since the others were told. */
  untold: number;
  readonly onOthers: ((amount: number) => void) | null;
}

/** Rates that this process counts with others. */
export interface SharedRates extends Rates {
  /** Tells the others what was taken here and learns what they have taken; never rejects. */
  readonly exchange: () => Promise<void>;
  /** Whether so much was taken quickly that the others should be told now. */
  readonly isUrgent: () => boolean;
  /** Begins to exchange; returns what ends it. */
  readonly start: () => () => Promise<void>;
}

export interface SharedRatesDeps {
  readonly exchange: RateExchange;
  readonly hash: KeyedHash;
  readonly clock: Clock;
  readonly log: Log;
}

/** Whether so much of a key is used that what others take of it matters soon. */
const isNear = ({ burst }: Allowance, used: number): boolean => used >= burst * nearLimit;

/** The least untold amount that others are told of: more while a key is far from its limit, so that most cost nothing. */
const toldFrom = (allowance: Allowance, used: number): number => {
  const { burst } = allowance;
  // One of few is no small part.
  return isNear(allowance, used) ? burst / 200 : Math.max(Math.min(2, burst / 40), burst / 100);
};

/**
 * Creates rates that are decided in this process, without waiting, of what it knows: its own amounts at once, those of
 * other processes within about a second, sooner while much is taken. While the exchange cannot be reached, it counts alone.
 */
export const createSharedRates = ({ exchange, hash, clock, log }: SharedRatesDeps): SharedRates => {
  // A third of the time of an HMAC for each key; what is cut off its end cannot be continued.
  const secret = hash("rate", "keys");
  const known = new Map<string, SharedBucket>();
  const foreign = createRecentKeys<Bucket>(maxForeignKeys);
  const untold = new Set<SharedBucket>();
  const hurry$ = new Subject<void>();
  /** Until when this process exchanges often. */
  let nearUntil = 0;
  let lastWholeAt = 0;
  let isUrgent = false;
  let isAlone = false;
  let isStopped = false;

  const hurry = (): void => {
    if (isUrgent) return;
    isUrgent = true;
    hurry$.next();
  };

  const remember = (bucket: SharedBucket, used: number): void => {
    const amount = Math.abs(bucket.untold);
    if (amount === 0 || amount < toldFrom(bucket.allowance, used)) return;
    untold.add(bucket);
    if (amount > bucket.allowance.burst / 50) hurry();
  };

  const take = (bucket: SharedBucket, allowance: Allowance, amount: number): void => {
    const now = clock.now();
    const used = usedNow(bucket, allowance, now);
    setUsed(bucket, allowance, used + amount, now);
    bucket.allowance = allowance;
    if (amount === 0) return;
    bucket.untold += amount;
    remember(bucket, bucket.used);
    if (!isNear(allowance, bucket.used)) return;
    nearUntil = now + nearForMs;
    hurry();
  };

  /** Returns what finds the bucket of a key; `maxKeys` of a name are kept. */
  const finder = (name: string, maxKeys: number, onOthers: OnOthers | null) => {
    const buckets = createRecentKeys<SharedBucket>(maxKeys, (forgotten) => {
      known.delete(forgotten.key);
      untold.delete(forgotten);
    });
    return (text: string, allowance: Allowance): SharedBucket => {
      const found = buckets.find(text);
      if (found) return found;
      const key = digest("sha256", `${secret} ${name} ${text}`, "base64url").slice(0, hashLength);
      const { used, at } = foreign.take(key) ?? { used: 0, at: clock.now() };
      const tell = onOthers && ((amount: number) => onOthers(text, amount));
      const bucket: SharedBucket = { key, used, at, allowance, untold: 0, onOthers: tell };
      buckets.set(text, bucket);
      known.set(key, bucket);
      const byOthers = Math.round(usedNow(bucket, allowance, clock.now()));
      if (byOthers > 0) tell?.(byOthers);
      return bucket;
    };
  };

  const learn = ({ key, used }: UsedAmount): void => {
    const now = clock.now();
    const bucket = known.get(key);
    if (!bucket) {
      foreign.set(key, { used, at: now });
      return;
    }
    const { allowance, onOthers } = bucket;
    const total = used + bucket.untold;
    if (onOthers === null) setUsed(bucket, allowance, total, now);
    else {
      // What is counted in wholes is told of in wholes; the rest shows in a later exchange.
      const counted = usedNow(bucket, allowance, now);
      const byOthers = Math.round(total - counted);
      setUsed(bucket, allowance, counted + byOthers, now);
      if (byOthers !== 0) onOthers(byOthers);
    }
    remember(bucket, bucket.used);
  };

  /** Returns what is told next: first what comes near its limit, then what waits longest. */
  const nextToTell = (): readonly SharedBucket[] => {
    const now = clock.now();
    const isHurried = now - lastWholeAt < exchangeEachMs * 0.9 && now >= lastWholeAt;
    const most = isHurried ? maxHurriedKeys : maxToldKeys;
    if (!isHurried) lastWholeAt = now;
    if (untold.size <= most) return [...untold];
    const [near, far]: [SharedBucket[], SharedBucket[]] = [[], []];
    for (const bucket of untold) (isNear(bucket.allowance, bucket.used) ? near : far).push(bucket);
    return [...near, ...far].slice(0, most);
  };

  const takeBack = (bucket: SharedBucket, amount: number): void => {
    if (known.get(bucket.key) !== bucket) return;
    // What has come back meanwhile is not to be told any more.
    const used = usedNow(bucket, bucket.allowance, clock.now());
    bucket.untold = Math.min(used, amount + bucket.untold);
    if (bucket.untold !== 0) untold.add(bucket);
  };

  const exchangeNow = async (): Promise<void> => {
    isUrgent = false;
    const telling = nextToTell().map((bucket) => {
      const { key, allowance, untold: amount } = bucket;
      bucket.untold = 0;
      untold.delete(bucket);
      const taken: TakenAmount = { key, amount, ...allowance };
      return { bucket, taken };
    });
    try {
      const answer = await exchange.exchange(telling.map(({ taken }) => taken));
      for (const used of answer) learn(used);
      if (isAlone) log.info("limits are counted with the other processes again");
      isAlone = false;
      if (clock.now() < nearUntil) hurry();
    } catch (error) {
      for (const { bucket, taken } of telling) takeBack(bucket, taken.amount);
      if (!isAlone && !isStopped)
        log.warn({ error: errorTrace(error) }, "limits are counted by this process alone for the time being");
      isAlone = true;
    }
  };

  return {
    buckets: (name, maxKeys) => {
      const find = finder(name, maxKeys, null);
      return {
        left: (key, allowance) => allowance.burst - usedNow(find(key, allowance), allowance, clock.now()),
        take: (key, allowance, amount) => take(find(key, allowance), allowance, amount),
      };
    },
    tell: (name, maxKeys, onOthers) => {
      const find = finder(name, maxKeys, onOthers);
      return (key, allowance, amount) => take(find(key, allowance), allowance, amount);
    },
    exchange: exchangeNow,
    isUrgent: () => isUrgent,
    start: () => {
      const hurried = { leading: true, trailing: true };
      const running = merge(
        timer(0, exchangeEachMs, clock.scheduler),
        hurry$.pipe(throttleTime(hurriedEachMs, clock.scheduler, hurried)),
      )
        .pipe(exhaustMap(exchangeNow))
        .subscribe(() => {
          // What became urgent during an exchange was not heard.
          queueMicrotask(() => {
            if (isUrgent) hurry$.next();
          });
        });
      return async () => {
        isStopped = true;
        running.unsubscribe();
        await exchange.close();
      };
    },
  };
};

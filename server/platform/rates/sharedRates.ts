import { hash as digest } from "node:crypto";
import { exhaustMap, merge, Subject, throttleTime, timer } from "rxjs";
import type { Clock } from "../../../core/ports/clock.ts";
import type { KeyedHash } from "../ops/keyedHash.ts";
import { errorTrace, type Log } from "../ops/log.ts";
import { type Allowance, type Bucket, setUsed, usedNow } from "./buckets.ts";
import type { OnOthers, Rates } from "./rates.ts";
import { createRecentKeys } from "./recentKeys.ts";

/** The amount that a process has taken of a key since it last told the others. */
export interface TakenAmount {
  /** A keyed hash of what is counted. */
  readonly key: string;
  readonly amount: number;
  /** At most twice as much is remembered. */
  readonly burst: number;
  /** The amount that comes back in a second. */
  readonly perSecond: number;
}

/** The amount that all processes together have used of a key and that has not come back. */
export interface UsedAmount {
  readonly key: string;
  readonly used: number;
}

/**
 * Adds amounts of different keys in one step, and returns what is used of these keys and of those that other processes
 * have changed since the last call and of which `nearLimit` or more is used. Rejects when the place cannot be reached.
 */
export type RateExchange = (taken: readonly TakenAmount[]) => Promise<readonly UsedAmount[]>;

/** The part of the burst from which on all processes are told of a key. */
export const nearLimit = 0.2;

/**
 * The intervals at which this process exchanges what was taken: the usual one, and the one while a key that is taken here comes
 * near its limit.
 */
export const exchangeEachMs = 1_000;
export const urgentExchangeEachMs = 100;
/** The time after a key was taken for which this process wants to know soon what others take of it. */
const nearForMs = 1_000;
/** The most keys of one exchange, and of one between those of each second, so that a flood does not load the database. */
const maxKeysEachSecond = 500;
const maxKeysBetween = 50;
/** The most keys of others that nobody has used here. */
const maxForeignKeys = 20_000;
/** 128 bits as base64url. */
const hashLength = 22;

interface SharedBucket extends Bucket {
  readonly key: string;
  allowance: Allowance;
  /** The amount that was taken here and not sent to the others yet. */
  unsent: number;
  readonly onOthers: ((amount: number) => void) | null;
}

interface SharedRatesDeps {
  readonly exchange: RateExchange;
  readonly hash: KeyedHash;
  readonly clock: Clock;
  readonly log: Log;
}

/** Returns whether so much of a key is used that what others take of it matters soon. */
const isNear = ({ burst }: Allowance, used: number): boolean => used >= burst * nearLimit;

/** Returns the least amount that is sent: more while a key is far from its limit, so that most cost nothing. */
const leastSent = (allowance: Allowance, used: number): number => {
  const { burst } = allowance;
  // One of few is no small part.
  return isNear(allowance, used) ? burst / 200 : Math.max(Math.min(2, burst / 40), burst / 100);
};

/**
 * Counts rates with the other processes and decides here, without waiting, by what is known: amounts of this process at
 * once, those of others within about a second, sooner while much is taken. While the exchange cannot be reached, this
 * process counts alone.
 */
export class SharedRates implements Rates {
  readonly #deps: SharedRatesDeps;
  // A third of the time of an HMAC for each key; what is cut off its end cannot be continued.
  readonly #secret: string;
  readonly #known = new Map<string, SharedBucket>();
  readonly #foreign = createRecentKeys<Bucket>(maxForeignKeys);
  readonly #unsent = new Set<SharedBucket>();
  readonly #urgent$ = new Subject<void>();
  /** The end of the time in which this process exchanges often. */
  #nearUntil = 0;
  #lastWholeAt = 0;
  #isUrgent = false;
  #isAlone = false;
  #isStopped = false;

  constructor(deps: SharedRatesDeps) {
    this.#deps = deps;
    this.#secret = this.#deps.hash("rate", "keys");
  }

  readonly buckets: Rates["buckets"] = (name, maxKeys) => {
    const find = this.#finder(name, maxKeys, null);
    return {
      left: (key, allowance) =>
        allowance.burst - usedNow(find(key, allowance), allowance, this.#deps.clock.now()),
      take: (key, allowance, amount) => this.#take(find(key, allowance), allowance, amount),
    };
  };

  readonly tell: Rates["tell"] = (name, maxKeys, onOthers) => {
    const find = this.#finder(name, maxKeys, onOthers);
    return (key, allowance, amount) => this.#take(find(key, allowance), allowance, amount);
  };

  /** Sends the others what was taken here and learns what they have taken; never rejects. */
  readonly exchange = async (): Promise<void> => {
    this.#isUrgent = false;
    const sending = this.#nextToSend().map((bucket) => {
      const { key, allowance, unsent: amount } = bucket;
      bucket.unsent = 0;
      this.#unsent.delete(bucket);
      const taken: TakenAmount = { key, amount, ...allowance };
      return { bucket, taken };
    });
    try {
      const answer = await this.#deps.exchange(sending.map(({ taken }) => taken));
      for (const used of answer) this.#learn(used);
      if (this.#isAlone) this.#deps.log.info("limits are counted with the other processes again");
      this.#isAlone = false;
      if (this.#deps.clock.now() < this.#nearUntil) this.#exchangeSoon();
    } catch (error) {
      for (const { bucket, taken } of sending) this.#takeBack(bucket, taken.amount);
      if (!this.#isAlone && !this.#isStopped)
        this.#deps.log.warn(
          { error: errorTrace(error) },
          "limits are counted by this process alone for the time being",
        );
      this.#isAlone = true;
    }
  };

  /** Returns whether so much was taken quickly that the others should be told now. */
  readonly isUrgent = (): boolean => this.#isUrgent;

  /** Begins to exchange; returns what ends it. */
  readonly start = (): (() => void) => {
    const atBothEnds = { leading: true, trailing: true };
    const running = merge(
      timer(0, exchangeEachMs, this.#deps.clock.scheduler),
      this.#urgent$.pipe(throttleTime(urgentExchangeEachMs, this.#deps.clock.scheduler, atBothEnds)),
    )
      .pipe(exhaustMap(this.exchange))
      .subscribe(() => {
        // What became urgent during an exchange was not heard.
        queueMicrotask(() => {
          if (this.#isUrgent) this.#urgent$.next();
        });
      });
    return () => {
      this.#isStopped = true;
      running.unsubscribe();
    };
  };

  #exchangeSoon(): void {
    if (this.#isUrgent) return;
    this.#isUrgent = true;
    this.#urgent$.next();
  }

  #remember(bucket: SharedBucket, used: number): void {
    const amount = Math.abs(bucket.unsent);
    if (amount === 0 || amount < leastSent(bucket.allowance, used)) return;
    this.#unsent.add(bucket);
    if (amount > bucket.allowance.burst / 50) this.#exchangeSoon();
  }

  #take(bucket: SharedBucket, allowance: Allowance, amount: number): void {
    const now = this.#deps.clock.now();
    const used = usedNow(bucket, allowance, now);
    setUsed(bucket, allowance, used + amount, now);
    bucket.allowance = allowance;
    if (amount === 0) return;
    bucket.unsent += amount;
    this.#remember(bucket, bucket.used);
    if (!isNear(allowance, bucket.used)) return;
    this.#nearUntil = now + nearForMs;
    this.#exchangeSoon();
  }

  /** Returns what finds the bucket of a key; `maxKeys` of a name are kept. */
  #finder(name: string, maxKeys: number, onOthers: OnOthers | null) {
    const buckets = createRecentKeys<SharedBucket>(maxKeys, (forgotten) => {
      this.#known.delete(forgotten.key);
      this.#unsent.delete(forgotten);
    });
    return (text: string, allowance: Allowance): SharedBucket => {
      const found = buckets.find(text);
      if (found) return found;
      const key = digest("sha256", `${this.#secret} ${name} ${text}`, "base64url").slice(0, hashLength);
      const { used, at } = this.#foreign.take(key) ?? { used: 0, at: this.#deps.clock.now() };
      const tell = onOthers && ((amount: number) => onOthers(text, amount));
      const bucket: SharedBucket = { key, used, at, allowance, unsent: 0, onOthers: tell };
      buckets.set(text, bucket);
      this.#known.set(key, bucket);
      const byOthers = Math.round(usedNow(bucket, allowance, this.#deps.clock.now()));
      if (byOthers > 0) tell?.(byOthers);
      return bucket;
    };
  }

  #learn({ key, used }: UsedAmount): void {
    const now = this.#deps.clock.now();
    const bucket = this.#known.get(key);
    if (!bucket) {
      this.#foreign.set(key, { used, at: now });
      return;
    }
    const { allowance, onOthers } = bucket;
    const total = used + bucket.unsent;
    if (onOthers === null) setUsed(bucket, allowance, total, now);
    else {
      // What is counted in wholes is passed on in wholes; the rest shows in a later exchange.
      const counted = usedNow(bucket, allowance, now);
      const byOthers = Math.round(total - counted);
      setUsed(bucket, allowance, counted + byOthers, now);
      if (byOthers !== 0) onOthers(byOthers);
    }
    this.#remember(bucket, bucket.used);
  }

  /** Returns what is sent next: first what comes near its limit, then what waits longest. */
  #nextToSend(): readonly SharedBucket[] {
    const now = this.#deps.clock.now();
    const isBetween = now - this.#lastWholeAt < exchangeEachMs * 0.9 && now >= this.#lastWholeAt;
    const most = isBetween ? maxKeysBetween : maxKeysEachSecond;
    if (!isBetween) this.#lastWholeAt = now;
    if (this.#unsent.size <= most) return [...this.#unsent];
    const near: SharedBucket[] = [];
    const far: SharedBucket[] = [];
    for (const bucket of this.#unsent) (isNear(bucket.allowance, bucket.used) ? near : far).push(bucket);
    return [...near, ...far].slice(0, most);
  }

  #takeBack(bucket: SharedBucket, amount: number): void {
    if (this.#known.get(bucket.key) !== bucket) return;
    // What has come back meanwhile is not to be sent any more.
    const used = usedNow(bucket, bucket.allowance, this.#deps.clock.now());
    bucket.unsent = Math.min(used, amount + bucket.unsent);
    if (bucket.unsent !== 0) this.#unsent.add(bucket);
  }
}

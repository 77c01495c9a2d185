import { type Allowance, type Buckets, createBuckets } from "./buckets.ts";

/** Tells other processes of an amount that a key has taken here; a negative one was given back. Never waits. */
export type TellOthers = (key: string, allowance: Allowance, amount: number) => void;

/** Is called with an amount that a key has taken in other processes, within about a second. */
export type OnOthers = (key: string, amount: number) => void;

/** Creates the counters of how often things happen: in this process alone, or with the others on the same database. */
export interface Rates {
  /** Creates buckets for at most `maxKeys` keys; `name` separates them from others, the same in all processes. */
  readonly buckets: (name: string, maxKeys: number) => Buckets;
  /** Returns what tells other processes of amounts that are counted in another way than by buckets. */
  readonly tell: (name: string, maxKeys: number, onOthers: OnOthers) => TellOthers;
}

/** Creates rates that this process counts alone. */
export const createOwnRates = (now: () => number): Rates => ({
  buckets: (_name, maxKeys) => createBuckets(now, maxKeys),
  tell: () => () => {},
});

import { maxMadePerDay } from "../../../core/domains/domain.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import type { Rates } from "../../platform/rates/rates.ts";

/** The most masks of a domain that mail of one IPv4 address or /64 makes in a day, so that others can make some too. */
export const madePerDayOfNetwork = maxMadePerDay / 4;

const allowance = { burst: madePerDayOfNetwork, perSecond: madePerDayOfNetwork / (dayMs / 1_000) };

/** The most pairs of a domain and a network that are counted. */
const maxPairs = 20_000;

/** Creates the count of masks that mail makes, by domain and network; returns whether one more is within the share. */
export const createNewMaskShare = (rates: Rates): ((domain: string, network: string) => boolean) => {
  const buckets = rates.buckets("masks made by mail", maxPairs);
  return (domain, network) => {
    const key = `${domain} ${network}`;
    if (buckets.left(key, allowance) < 1) return false;
    buckets.take(key, allowance, 1);
    return true;
  };
};

import { hourMs } from "../../../core/kernel/durations.ts";
import { networkOf, widerNetworkOf } from "../../platform/ops/networkOf.ts";
import type { Allowance } from "../../platform/rates/buckets.ts";
import type { Rates } from "../../platform/rates/rates.ts";

/** The number of mails an hour that the installation itself takes at one kind of address. */
export interface InstallationShare {
  /** Of an IPv4 address or a /64, and of a /24 or a /56; they count from RCPT on. */
  readonly network: number;
  readonly widerNetwork: number;
  /** Of one domain that is proven to have sent them, and of all such domains. */
  readonly domain: number;
  readonly proven: number;
  /** Of a /24 or a /56 without such a proof, and of all senders without one. */
  readonly unprovenOfNetwork: number;
  readonly unproven: number;
}

/** Mail to the postmaster. */
export const postmasterShare: InstallationShare = {
  network: 10,
  widerNetwork: 20,
  domain: 10,
  proven: 120,
  unprovenOfNetwork: 5,
  unproven: 30,
};

/** The most networks and domains that are counted of one kind of address. */
const maxKeys = 20_000;

/** Limits mail to the installation, so that nobody uses up what others may send. Processes share it where rates are shared. */
export interface InstallationShares {
  /** Counts a mail for the networks of an address; false when one of them has sent too many. */
  readonly admit: (remoteAddress: string | null) => boolean;
  /**
   * Counts a mail whose content has come: for the domain that is proven to have sent it, or with null for its network and all
   * others without a proof. False when there were too many.
   */
  readonly take: (remoteAddress: string | null, provenDomain: string | null) => boolean;
}

export interface InstallationSharesDeps {
  readonly rates: Rates;
  /** True if an address speaks for many senders, whose networks are not known; a provider that hands over mail does, too. */
  readonly isTrusted: (address: string) => boolean;
}

const perHour = (burst: number): Allowance => ({ burst, perSecond: burst / (hourMs / 1_000) });

type Counted = readonly (readonly [key: string, most: number])[];

/** Creates the limits of one kind of address; `name` separates it from others. */
export const createInstallationShares = (
  { rates, isTrusted }: InstallationSharesDeps,
  name: string,
  share: InstallationShare,
): InstallationShares => {
  const buckets = rates.buckets(name, maxKeys);
  const speaksForMany = (address: string | null): boolean => address === null || isTrusted(address);

  const takeAll = (counted: Counted): boolean => {
    if (counted.some(([key, most]) => buckets.left(key, perHour(most)) < 1)) return false;
    for (const [key, most] of counted) buckets.take(key, perHour(most), 1);
    return true;
  };

  return {
    admit: (remoteAddress) =>
      speaksForMany(remoteAddress) ||
      takeAll([
        [networkOf(remoteAddress), share.network],
        [`wider ${widerNetworkOf(remoteAddress)}`, share.widerNetwork],
      ]),
    take: (remoteAddress, provenDomain) => {
      if (provenDomain !== null)
        return takeAll([
          [`domain ${provenDomain}`, share.domain],
          ["proven", share.proven],
        ]);
      const ofNetwork: Counted = speaksForMany(remoteAddress)
        ? []
        : [[`unproven ${widerNetworkOf(remoteAddress)}`, share.unprovenOfNetwork]];
      return takeAll([...ofNetwork, ["unproven", share.unproven]]);
    },
  };
};

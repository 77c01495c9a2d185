import { networkOf, widerNetworkOf } from "../../platform/ops/networkOf.ts";
import type { Allowance, Buckets } from "../../platform/rates/buckets.ts";
import { connectionsPerNetwork, connectionsPerWiderNetwork, provenFactor } from "../smtpLimits.ts";

/** Limits how often networks connect. */
export interface ConnectionRates {
  /** Counts a connection of an address; false when its networks have connected too often. */
  readonly admit: (remoteAddress: string, isProven: boolean) => boolean;
}

/** The most networks that are counted at a time. */
export const maxConnectingNetworks = 20_000;

/** Creates the rates of connections by IPv4 address and /64, and by /24 and /56. A refused connection does not count. */
export const createConnectionRates = (buckets: Buckets): ConnectionRates => ({
  admit: (remoteAddress, isProven) => {
    const factor = isProven ? provenFactor : 1;
    const scaled = ({ burst, perSecond }: Allowance): Allowance => ({
      burst: burst * factor,
      perSecond: perSecond * factor,
    });
    // Processes may differ about who is proven; what one of them allows a network is no reason for another to refuse it.
    const kind = isProven ? "proven " : "";
    const counted = [
      [kind + networkOf(remoteAddress), scaled(connectionsPerNetwork)],
      [kind + widerNetworkOf(remoteAddress), scaled(connectionsPerWiderNetwork)],
    ] as const;
    if (counted.some(([key, allowance]) => buckets.left(key, allowance) < 1)) return false;
    for (const [key, allowance] of counted) buckets.take(key, allowance, 1);
    return true;
  },
});

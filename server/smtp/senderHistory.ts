import { dayMs, hourMs } from "../../core/kernel/durations.ts";

/** The networks that have sent accepted mail for some time. */
export interface SenderHistory {
  readonly record: (network: string) => void;
  /** True if mail of the network was accepted in several hours, the last of them recently. */
  readonly isProven: (network: string) => boolean;
}

const provenHours = 3;
const rememberedMs = 30 * dayMs;
const maxNetworks = 10_000;

/** Creates an empty history of at most 10,000 networks, which drops the least recent. */
export const createSenderHistory = (now: () => number): SenderHistory => {
  const networks = new Map<string, { readonly hours: number; readonly lastHour: number }>();
  return {
    record: (network) => {
      const hour = Math.floor(now() / hourMs);
      const known = networks.get(network);
      if (known?.lastHour === hour) return;
      networks.delete(network);
      networks.set(network, { hours: (known?.hours ?? 0) + 1, lastHour: hour });
      if (networks.size <= maxNetworks) return;
      const [oldest] = networks.keys();
      if (oldest !== undefined) networks.delete(oldest);
    },
    isProven: (network) => {
      const known = networks.get(network);
      return (
        known !== undefined && known.hours >= provenHours && now() - known.lastHour * hourMs < rememberedMs
      );
    },
  };
};

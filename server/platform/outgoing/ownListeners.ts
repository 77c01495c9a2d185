import { networkInterfaces } from "node:os";
import { createIsInNetworks } from "../dns/networkRanges.ts";

const isThisMachine = createIsInNetworks(["loopback", "0.0.0.0/32", "::/128"]);

const isOwnAddress = (address: string): boolean =>
  isThisMachine(address) ||
  Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === address));

/** Creates the check whether this server listens at an address and port. */
export const createIsOwnListener = (
  ports: readonly (number | null | undefined)[],
): ((address: string, port: number) => boolean) => {
  const own = new Set(ports);
  return (address, port) => own.has(port) && isOwnAddress(address);
};

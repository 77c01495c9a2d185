import { execFileSync } from "node:child_process";

/** The addresses of the walk, of the networks for documentation (RFC 5737). */
export const addresses = {
  server: "203.0.113.7",
  gateway: "203.0.113.1",
  dns: "198.51.100.53",
  time: "198.51.100.123",
  authority: "198.51.100.14",
  shop: "198.51.100.25",
  home: "198.51.100.26",
} as const;

const ip = (pid: number, ...words: readonly string[]): void => {
  execFileSync("nsenter", ["-t", String(pid), "-n", "ip", ...words]);
};

/** Connects the network namespaces of two processes with a cable: the machine's and the one of the stand-in for the internet. */
export const connectNetworks = (machine: number, internet: number): void => {
  const left = `walk${process.pid}a`;
  const right = `walk${process.pid}b`;
  execFileSync("ip", ["link", "add", left, "type", "veth", "peer", "name", right]);
  execFileSync("ip", ["link", "set", left, "netns", String(machine)]);
  execFileSync("ip", ["link", "set", right, "netns", String(internet)]);
  for (const [pid, device] of [
    [machine, left],
    [internet, right],
  ] as const) {
    ip(pid, "link", "set", "lo", "up");
    ip(pid, "link", "set", device, "up");
  }
  ip(machine, "addr", "add", `${addresses.server}/24`, "dev", left);
  ip(machine, "route", "add", "default", "via", addresses.gateway);
  for (const name of ["gateway", "dns", "time", "authority", "shop", "home"] as const)
    ip(internet, "addr", "add", `${addresses[name]}/24`, "dev", right);
};

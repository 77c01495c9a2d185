import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Where the nodes of the database run: each in a network of its own as root, else all on loopback. */
export interface Network {
  /** The address of a node, from 0. */
  readonly address: (node: number) => string;
  /** The words before a command that runs on a node. */
  readonly within: (node: number) => readonly string[];
  /** Cuts a node off from all others; returns what joins it again. Null where nodes share loopback. */
  readonly cutOff: ((node: number) => () => void) | null;
  readonly remove: () => void;
}

const loopback: Network = {
  address: () => "127.0.0.1",
  within: () => [],
  cutOff: null,
  remove: () => {},
};

const ip = "/usr/sbin/ip";
const run = (...words: readonly string[]): void => {
  execFileSync(ip, words, { stdio: ["ignore", "ignore", "pipe"] });
};

/** The user "nobody": PostgreSQL does not run as root. */
const unprivileged = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"];

const createNamespaces = (nodes: number): Network => {
  const id = (process.pid % 4_096).toString(16);
  const names = Array.from({ length: nodes }, (_, node) => `bauta${id}n${node}`);
  const bridge = `bauta${id}b`;
  const network = `10.${200 + (process.pid % 50)}.${Math.floor(process.pid / 50) % 250}`;
  const remove = (): void => {
    for (const name of names)
      try {
        run("netns", "delete", name);
      } catch {
        // It was not made.
      }
    try {
      run("link", "delete", bridge);
    } catch {
      // It was not made.
    }
  };
  try {
    run("link", "add", bridge, "type", "bridge");
    run("address", "add", `${network}.1/24`, "dev", bridge);
    run("link", "set", bridge, "up");
    for (const [node, name] of names.entries()) {
      run("netns", "add", name);
      run("link", "add", `${name}h`, "type", "veth", "peer", "name", "eth0", "netns", name);
      run("link", "set", `${name}h`, "master", bridge, "up");
      run("-n", name, "address", "add", `${network}.${10 + node}/24`, "dev", "eth0");
      for (const device of ["lo", "eth0"]) run("-n", name, "link", "set", device, "up");
    }
  } catch (error) {
    remove();
    throw error;
  }
  return {
    address: (node) => `${network}.${10 + node}`,
    within: (node) => [ip, "netns", "exec", names[node] ?? "", ...unprivileged],
    cutOff: (node) => {
      run("link", "set", `${names[node]}h`, "down");
      return () => run("link", "set", `${names[node]}h`, "up");
    },
    remove,
  };
};

/** Makes the networks of the nodes. Root gets a namespace a node, in which a node can be cut off. */
export const createNetwork = (nodes: number): Network =>
  process.getuid?.() === 0 && existsSync(ip) ? createNamespaces(nodes) : loopback;

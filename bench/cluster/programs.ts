import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { postgresqlPrograms } from "../../test/support/postgresqlServer.ts";

/** Debian has some where programs of administrators are. */
const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/sbin"];

const find = (name: string): string | undefined =>
  folders.map((folder) => join(folder, name)).find((path) => existsSync(path));

/** The programs of a cluster, by their paths. */
export interface ClusterPrograms {
  readonly etcd: string;
  readonly patroni: string;
  readonly haproxy: string;
  /** The folder of PostgreSQL's programs. */
  readonly postgresql: string;
}

/** Returns the programs, or the packages of Debian that are missing. */
export const findPrograms = (): ClusterPrograms | { readonly missing: readonly string[] } => {
  const [etcd, patroni, haproxy] = ["etcd", "patroni", "haproxy"].map(find);
  const postgresql = postgresqlPrograms();
  if (etcd && patroni && haproxy && postgresql) return { etcd, patroni, haproxy, postgresql };
  const missing = [
    ...(etcd ? [] : ["etcd-server"]),
    ...(patroni ? [] : ["patroni"]),
    ...(haproxy ? [] : ["haproxy"]),
    ...(postgresql ? [] : ["postgresql"]),
  ];
  return { missing };
};

import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../test/server/support/until.ts";
import { freePort } from "../../test/support/freePort.ts";
import type { Signer } from "./opendkim.ts";
import { ticksOf } from "./process.ts";
import type { Subject } from "./subject.ts";

const sbin = "/usr/sbin";

const output = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

/** Returns why Postfix cannot be measured here; null when it can. */
export const findPostfixProblem = (): string | null => {
  if (process.getuid?.() !== 0) return "Postfix only starts as root";
  try {
    output(join(sbin, "postconf"), "-h", "mail_version");
    return null;
  } catch {
    return "Postfix is not installed (Debian: apt install postfix)";
  }
};

/** Services that receive, queue and deliver mail; the fields are those of master.cf. */
const services = `
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
smtp unix - - n - - smtp
relay unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
proxymap unix - - n - - proxymap
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`;

/** A durable queue on the disk, with the limits of one client and of processes out of the way. */
const settings = (folder: string, nextHop: number, signer: Signer | null): string => `
compatibility_level = 3.6
queue_directory = ${folder}/spool
data_directory = ${folder}/data
maillog_file_prefixes = ${folder}
maillog_file = ${folder}/mail.log
myhostname = mx.bench.example
mydestination =
alias_maps =
local_recipient_maps =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
relayhost = [127.0.0.1]:${nextHop}
virtual_alias_domains = masks.localhost
virtual_alias_maps = hash:${folder}/etc/virtual
disable_dns_lookups = yes
smtpd_peername_lookup = no
smtpd_client_connection_count_limit = 0
smtpd_client_connection_rate_limit = 0
message_size_limit = 52428800
mailbox_size_limit = 0
in_flow_delay = 0
default_destination_concurrency_limit = 50
initial_destination_concurrency = 20
default_destination_recipient_limit = 1
default_process_limit = 150
${signer ? `smtpd_milters = inet:127.0.0.1:${signer.port}\nmilter_default_action = tempfail` : ""}
`;

/** Starts a Postfix of its own that forwards the addresses to one mailbox each; `signer` signs what it takes. */
export const startPostfix = async (
  folder: string,
  nextHop: number,
  addresses: readonly string[],
  signer: Signer | null = null,
): Promise<Subject> => {
  const port = await freePort();
  const config = join(folder, "etc");
  for (const name of ["etc", "spool", "data"]) mkdirSync(join(folder, name), { recursive: true });
  chmodSync(folder, 0o755);
  chownSync(join(folder, "data"), Number(output("id", "-u", "postfix")), 0);
  writeFileSync(join(config, "main.cf"), settings(folder, nextHop, signer));
  writeFileSync(join(config, "master.cf"), `${port} inet n - n - - smtpd${services}`);
  writeFileSync(
    join(config, "virtual"),
    addresses.map((address, n) => `${address} user${n % 20}@home.example\n`).join(""),
  );
  output(join(sbin, "postmap"), `hash:${join(config, "virtual")}`);
  spawn(join(sbin, "postfix"), ["-c", config, "start"], { stdio: "ignore" });
  const master = join(folder, "spool/pid/master.pid");
  await until("Postfix runs", () => existsSync(master), 20_000);
  const pid = readFileSync(master, "utf8").trim();
  return {
    name: signer ? "Postfix with OpenDKIM" : "Postfix",
    port,
    recipients: addresses,
    cpuTicks: () =>
      output("pgrep", "-P", pid)
        .trim()
        .split("\n")
        .concat(pid, signer ? String(signer.pid) : [])
        .reduce((sum, process) => sum + ticksOf(process), 0),
    stop: async () => {
      output(join(sbin, "postfix"), "-c", config, "stop");
      signer?.stop();
    },
  };
};

import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { ImapFlow } from "imapflow";
import { freePort } from "../../support/freePort.ts";
import { skipWithout } from "../../support/missing.ts";
import { until } from "./until.ts";

const programs = "/usr/lib/cyrus/bin";

/** Cyrus with one mailbox. */
export interface Cyrus {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Another program that is logged in to the mailbox. */
  readonly client: ImapFlow;
  readonly stop: () => Promise<void>;
}

/**
 * Skips a suite where Cyrus is missing, or cannot drop its rights. Debian lets one IMAP server be installed; beside another one,
 * cyrus-common is installed and cyrus-imapd only unpacked, as `.ci/run` does.
 */
export const requireCyrus = (context: Mocha.Context): void => {
  const isThere = ["master", "imapd", "idled"].every((name) => existsSync(`${programs}/${name}`));
  if (!isThere || process.getuid?.() !== 0)
    skipWithout(context, "Debian's cyrus-imapd, which .ci/run unpacks beside Dovecot, as root");
};

const nobody = 65_534;
const user = "catchall";
const password = "correct-horse";

/** Its folders, each of which has to be there. */
const folders = ["conf", "conf/socket", "conf/db", "conf/proc", "conf/lock", "conf/log", "spool"];

const configOf = (folder: string): string => `
configdirectory: ${folder}/conf
defaultpartition: default
partition-default: ${folder}/spool
cyrus_user: nobody
unixhierarchysep: yes
allowplaintext: yes
failedloginpause: 0
autocreate_quota: 0
sasl_mech_list: PLAIN LOGIN
sasl_pwcheck_method: saslauthd
sasl_saslauthd_path: ${folder}/passwords
`;

const servicesOf = (config: string, port: number): string => `
START {
  recover cmd="ctl_cyrusdb -C ${config} -r"
  idled cmd="idled -C ${config}"
}
SERVICES {
  imap cmd="imapd -C ${config}" listen="127.0.0.1:${port}" proto=tcp4
}
`;

/** Answers whoever asks for a password, as `saslauthd` does: user, password, service and realm, each with its length. */
const servePasswords = (path: string) => {
  const passwords = createServer((socket) => {
    socket.once("data", (asked: Buffer) => {
      const lengthOfUser = asked.readUInt16BE(0);
      const at = 2 + lengthOfUser + 2;
      const given = asked.subarray(at, at + asked.readUInt16BE(at - 2)).toString();
      socket.end(given === password ? "\0\u0002OK" : "\0\u0002NO");
    });
  });
  passwords.listen(path, () => chmodSync(path, 0o777));
  return passwords;
};

/** Starts Cyrus with its files in an empty folder. */
export const startCyrus = async (folder: string): Promise<Cyrus> => {
  const port = await freePort();
  const [config, services] = [join(folder, "imapd.conf"), join(folder, "cyrus.conf")];
  chmodSync(folder, 0o755);
  for (const name of folders) {
    mkdirSync(join(folder, name));
    chownSync(join(folder, name), nobody, nobody);
  }
  writeFileSync(config, configOf(folder));
  writeFileSync(services, servicesOf(config, port));
  const passwords = servePasswords(join(folder, "passwords"));
  const args = ["-C", config, "-M", services, "-p", join(folder, "pid")];
  // Its end sends SIGTERM to its process group, as user nobody: in the group of the tests that ends their PostgreSQL.
  const server: ChildProcess = spawn(`${programs}/master`, args, { stdio: "ignore", detached: true });
  const ended = new Promise<void>((resolve) => {
    server.once("exit", () => resolve());
  });
  let client: ImapFlow | undefined;
  await until("Cyrus answers", async () => {
    const connecting = new ImapFlow({
      ...{ host: "127.0.0.1", port, secure: false, auth: { user, pass: password } },
      ...{ logger: false, disableAutoIdle: true },
    });
    connecting.on("error", () => {});
    return connecting.connect().then(
      () => {
        client = connecting;
        return true;
      },
      () => false,
    );
  });
  if (!client) throw new Error("Cyrus does not start");
  const connected = client;
  return {
    ...{ port, user, password, client: connected },
    stop: async () => {
      connected.close();
      server.kill("SIGTERM");
      await ended;
      passwords.close();
    },
  };
};

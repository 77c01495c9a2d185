import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../support/freePort.ts";
import { skipWithout } from "../../support/missing.ts";

/** Dovecot with one mailbox. */
export interface Dovecot {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Runs a command of doveadm, such as "mailbox create", for the user. */
  readonly doveadm: (command: string, args?: readonly string[], input?: string | Buffer) => string;
  readonly stop: () => Promise<void>;
}

/** Skips a suite where Dovecot's IMAP is missing, or cannot drop its rights. */
export const requireDovecot = (context: Mocha.Context): void => {
  if (!existsSync("/usr/lib/dovecot/imap") || process.getuid?.() !== 0)
    skipWithout(context, "Debian's dovecot-imapd, as root");
};

/** Whoever owns the mail: Dovecot gives root none. */
const nobody = 65_534;

const user = "catchall@provider.example";
const password = "correct-horse";

const configOf = (folder: string, port: number, more: string): string => `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
mail_location = maildir:${folder}/mail/%u
first_valid_uid = 1
default_internal_user = nobody
default_login_user = nobody
default_internal_group = nogroup
mail_uid = ${nobody}
mail_gid = ${nobody}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${nobody} gid=${nobody} home=${folder}/mail/%u
}
namespace inbox {
  inbox = yes
}
${more}
`;

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });

/** Starts Dovecot with its files in an empty folder. */
export const startDovecot = async (folder: string, more = ""): Promise<Dovecot> => {
  const port = await freePort();
  const config = join(folder, "dovecot.conf");
  chmodSync(folder, 0o755);
  for (const name of ["run", "state", "mail"]) mkdirSync(join(folder, name));
  chownSync(join(folder, "mail"), nobody, nobody);
  writeFileSync(config, configOf(folder, port, more));
  const server = spawn("dovecot", ["-F", "-c", config], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => {
    server.once("exit", () => resolve());
  });
  for (let tries = 0; !(await isListening(port)); tries += 1) {
    if (tries === 200) throw new Error("Dovecot does not start");
    await sleep(25);
  }
  return {
    port,
    user,
    password,
    doveadm: (command, args = [], input) =>
      execFileSync("doveadm", ["-c", config, ...command.split(" "), "-u", user, ...args], {
        ...(input !== undefined && { input }),
        stdio: ["pipe", "pipe", "ignore"],
      }).toString(),
    stop: async () => {
      server.kill("SIGTERM");
      await ended;
    },
  };
};

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A machine with a fresh Debian: systemd in namespaces of its own. */
export interface Machine {
  readonly root: string;
  /** Runs a shell command as root, in the machine's network or in that of the host, which leads to the registries. */
  readonly run: (command: string, network: "own" | "host") => Promise<string>;
  /** Runs a command on a terminal; `replies` answers its prompts: each text is typed once its prompt has been shown. */
  readonly talk: (
    command: string,
    replies: readonly (readonly [prompt: string, reply: string])[],
  ) => Promise<string>;
  readonly networkOf: number;
  readonly stop: () => Promise<void>;
}

const packages = "systemd-sysv,dbus";
const boot = `
set -e
mount --make-rprivate /
mount --bind "$0" "$0"; cd "$0"
for folder in run tmp; do mount -t tmpfs tmpfs $folder; done
mount -t proc proc proc; mount -t sysfs sysfs sys
mount -t tmpfs tmpfs sys/fs/cgroup; mkdir sys/fs/cgroup/systemd sys/fs/cgroup/unified
mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
mount -t cgroup2 cgroup2 sys/fs/cgroup/unified
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do touch dev/$device; mount --bind /dev/$device dev/$device; done
mkdir dev/pts dev/shm old; mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx; ln -s /proc/self/fd dev/fd; mount -t tmpfs tmpfs dev/shm
pivot_root . old; umount -l /old
exec env -i container=walk PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd
`;

/** Unpacks a fresh Debian into a folder: from the mirror, or a copy of the tree that WALK_BASE names. */
export const installDebian = (root: string): void => {
  const base = process.env["WALK_BASE"];
  if (base) cpSync(base, root, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  else
    execFileSync("debootstrap", ["--variant=minbase", `--include=${packages}`, "bookworm", root], {
      stdio: "ignore",
    });
  // A proxy of this host may check HTTPS: the machine believes the authorities that the host believes.
  const authorities = "/etc/ssl/certs/ca-certificates.crt";
  mkdirSync(join(root, "etc/ssl/certs"), { recursive: true });
  cpSync(authorities, join(root, "usr/local/share/host-authorities.pem"));
};

const childOf = (pid: number): number | undefined => {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return child ? Number(child) : undefined;
};

const environment = {
  PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: "/root",
  TERM: "dumb",
  LANG: "C.UTF-8",
  DEBIAN_FRONTEND: "noninteractive",
  NODE_EXTRA_CA_CERTS: "/usr/local/share/host-authorities.pem",
};

const collect = (
  child: ChildProcess,
  what: string,
  onOutput = (_text: string): void => {},
): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        onOutput(text);
      });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(text) : reject(new Error(`${what}\n${text.slice(-3_000)}`)),
    );
  });

/** Starts systemd on a root folder and waits until it is up. */
export const startMachine = async (root: string): Promise<Machine> => {
  const unshare = spawn("unshare", ["-pfmCnui", "--kill-child", "sh", "-c", boot, root], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => unshare.once("exit", () => resolve()));
  let pid: number | undefined;
  for (let tries = 0; pid === undefined; tries++) {
    if (tries === 100 || unshare.exitCode !== null) throw new Error("the machine does not start");
    await sleep(50);
    pid = unshare.pid && childOf(unshare.pid);
  }
  const namespaces = ["-t", String(pid), "-m", "-p", "-C", "-u", "-i"];
  const enter = (command: string, network: "own" | "host") =>
    spawn(
      "nsenter",
      [
        ...namespaces,
        ...(network === "own" ? ["-n"] : []),
        "sh",
        "-c",
        `cd /opt/bauta 2>/dev/null; ${command}`,
      ],
      {
        env: environment,
        stdio: ["pipe", "pipe", "pipe"],
      },
    );
  const machine: Machine = {
    root,
    networkOf: pid,
    run: (command, network) => {
      const nameServer =
        network === "host" ? readFileSync("/etc/resolv.conf", "utf8") : "nameserver 198.51.100.53\n";
      writeFileSync(join(root, "etc/resolv.conf"), nameServer);
      const child = enter(command, network);
      child.stdin.end();
      return collect(child, command);
    },
    talk: (command, replies) => {
      const child = enter(`script -qec '${command}' /dev/null`, "own");
      let next = 0;
      return collect(child, command, (text) => {
        const [prompt, reply] = replies[next] ?? [];
        if (prompt === undefined || !text.includes(prompt)) return;
        next += 1;
        child.stdin.write(`${reply}\r`);
      });
    },
    stop: async () => {
      unshare.kill("SIGKILL");
      await ended;
      rmSync(root, { recursive: true, force: true });
    },
  };
  for (
    let tries = 0;
    !/running|degraded/.test(await machine.run("systemctl is-system-running", "own").catch(String));
    tries++
  ) {
    if (tries === 100) throw new Error("systemd does not come up");
    await sleep(100);
  }
  return machine;
};

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readSteps, type Step } from "./guide.ts";
import type { Internet } from "./internet.ts";
import { installDebian, type Machine, startMachine } from "./machine.ts";
import { addresses, connectNetworks } from "./network.ts";

const product = join(import.meta.dirname, "../..");
const domain = "masks.example.org";
const owner = "owner@home.example";

type Call = <K extends keyof Internet>(
  name: K,
  ...args: Parameters<Internet[K]>
) => Promise<Awaited<ReturnType<Internet[K]>>>;

/** Starts internet.ts in a network of its own, with its DNS server as resolver. */
const startInternet = async (folder: string, connect: (pid: number) => void) => {
  const resolver = join(folder, "resolv.conf");
  writeFileSync(resolver, `nameserver ${addresses.dns}\n`);
  const name = ["-subj", "/CN=acme.example", "-addext", "subjectAltName=DNS:acme.example"];
  const key = [
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-keyout",
    join(folder, "ca.key"),
  ];
  execFileSync("openssl", ["req", "-x509", ...key, "-out", join(folder, "ca.pem"), ...name], {
    stdio: "ignore",
  });
  const script = 'read _; mount --bind "$1" /etc/resolv.conf; exec "$0" "$2" "$3"';
  const words = [
    "-nm",
    "sh",
    "-c",
    script,
    process.execPath,
    resolver,
    join(import.meta.dirname, "internet.ts"),
    folder,
  ];
  const child: ChildProcess = spawn("unshare", words, { stdio: ["pipe", "inherit", "inherit", "ipc"] });
  const answer = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      child.once("message", (message: { value?: unknown; error?: string }) =>
        message.error === undefined ? resolve(message.value) : reject(new Error(message.error)),
      );
      child.once("exit", () => reject(new Error("the stand-in for the internet has ended")));
    });
  await sleep(200);
  connect(child.pid ?? 0);
  const ready = answer();
  child.stdin?.end("\n");
  await ready;
  const call = ((name, ...args) => {
    const answered = answer();
    child.send({ name, args });
    return answered;
  }) as Call;
  return { call, stop: () => child.disconnect() };
};

interface Walker {
  readonly machine: Machine;
  readonly call: Call;
  readonly folder: string;
}

const copyProduct = ({ machine }: Walker): void => {
  mkdirSync(join(machine.root, "opt/bauta"), { recursive: true });
  execFileSync("sh", [
    "-c",
    'git -C "$0" archive HEAD | tar -x -C "$1"',
    product,
    join(machine.root, "opt/bauta"),
  ]);
};

/** Answers the questions of `bauta setup`; makes the printed records. The stand-ins replace the usual authority. */
const setUp = async ({ machine, folder }: Walker, [command = ""]: readonly string[]): Promise<string> => {
  const text = await machine.talk(command, [
    ["Domain of the masks", domain],
    ["Address of the app", ""],
    ["Your own e-mail address", owner],
    ["Server that sends your mail", process.env["WALK_VIA"] ?? "mx"],
    ["Who may sign up", ""],
  ]);
  const trusted = join(machine.root, "usr/local/share/host-authorities.pem");
  for (const name of ["ca.pem", "root.pem"]) appendFileSync(trusted, readFileSync(join(folder, name)));
  appendFileSync(
    join(machine.root, "opt/bauta/bauta.env"),
    "ACME_DIRECTORY=https://acme.example:14000/dir\nNODE_EXTRA_CA_CERTS=/usr/local/share/host-authorities.pem\n",
  );
  return text;
};

/** Repeats a check until it succeeds: a certificate and spreading records take moments. */
const eventually = async (
  work: () => Promise<string>,
  explain: () => Promise<string>,
  withinMs = 60_000,
): Promise<string> => {
  const end = Date.now() + withinMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > end) throw new Error(`${error}\n${await explain()}`);
      await sleep(1_000);
    }
  }
};

const arrive = async ({ call }: Walker): Promise<string> => {
  const code = await call("signUp", `https://${domain}`, owner);
  const mask = await call("createMask", owner);
  const accepted = await call("sendFromShop", mask);
  const { verdict, header } = await call("receive");
  if (!verdict.includes("dmarc=pass")) throw new Error(`DMARC did not pass: ${verdict}\n${header}`);
  return `code: ${code}; shop: ${accepted}; mailbox: ${verdict}`;
};

/** What somebody does at each step of the guide; returns what is worth to be shown of it. */
const doStep = async (walker: Walker, { number, commands }: Step, seen: string[]): Promise<string> => {
  const { machine, call } = walker;
  const last = async (network: "own" | "host"): Promise<string> => {
    let text = "";
    for (const command of commands) text = await machine.run(command, network);
    return text.trimEnd().split("\n").at(-1) ?? "";
  };
  switch (number) {
    case 1:
    case 3:
      return last("host");
    case 2:
      copyProduct(walker);
      return "git archive";
    case 4:
      seen.push(await setUp(walker, commands));
      return "5 questions answered";
    case 5:
      // The smarthost of WALK_VIA has no SPF domain.
      return `${await call("publish", (seen[0] ?? "").replace(/include:<[^>]*> /, "").split(/\r?\n/))} records`;
    case 6:
      return last("own");
    case 7:
      return eventually(
        () => last("own"),
        () => machine.run("journalctl -u bauta --no-pager | tail -30", "own"),
      );
    case 8:
      return arrive(walker);
    default:
      throw new Error(`The guide has a step ${number} that the walk does not know.`);
  }
};

/**
 * Follows the guide in docs/self-hosting.md on a fresh Debian, with a stand-in for the internet, from the first command
 * to a mail of a shop in the owner's mailbox. Needs root, debootstrap, pebble and the registries of Debian and npm.
 */
export const run = async (): Promise<void> => {
  if (process.getuid?.() !== 0) {
    console.log("Skipped: the walk makes namespaces, so only root can run it.");
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "bauta-walk-"));
  const root = join(folder, "root");
  const stops: (() => void | Promise<void>)[] = [];
  try {
    installDebian(root);
    const machine = await startMachine(root);
    stops.push(machine.stop);
    const internet = await startInternet(folder, (pid) => connectNetworks(machine.networkOf, pid));
    stops.push(internet.stop);
    const walker = { machine, call: internet.call, folder };
    const seen: string[] = [];
    const steps = readSteps();
    let total = 0;
    for (const step of steps) {
      const began = performance.now();
      const shown = await doStep(walker, step, seen);
      const seconds = (performance.now() - began) / 1_000;
      total += seconds;
      console.log(
        `${step.number}. ${seconds.toFixed(1).padStart(6)} s  ${step.text.slice(0, 70)}\n             ${shown}`,
      );
    }
    console.log(`${steps.length} steps, ${(total / 60).toFixed(1)} minutes without reading and typing`);
  } finally {
    for (const stop of stops.reverse()) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

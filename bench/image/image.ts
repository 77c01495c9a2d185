import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { installDebian } from "../walk/machine.ts";

const product = join(import.meta.dirname, "../..");
const [base, image] = ["localhost/bauta-base", "localhost/bauta-measured"] as const;
const container = `bauta-measured-${process.pid}`;
const port = 3_999;
const mostMegabytes = 250;

/** crun refuses the mixed control groups of some hosts; without their second half in its view it works. */
const podman = (...words: readonly string[]): string =>
  execFileSync(
    "unshare",
    ["-m", "sh", "-c", 'umount /sys/fs/cgroup/unified 2>/dev/null; exec podman "$@"', "podman", ...words],
    { encoding: "utf8", cwd: product, stdio: ["ignore", "pipe", "pipe"] },
  ).trim();

const timed = async (what: string, work: () => string | Promise<string>): Promise<void> => {
  const began = performance.now();
  const found = await work();
  console.log(
    `${what.padEnd(44)} ${((performance.now() - began) / 1_000).toFixed(1).padStart(6)} s  ${found}`,
  );
};

const importBase = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "bauta-image-"));
  try {
    installDebian(join(folder, "root"));
    execFileSync("sh", ["-c", 'tar -C "$0" -c . | podman import - "$1"', join(folder, "root"), base], {
      stdio: "ignore",
    });
    return base;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const build = (): string => {
  podman(
    "build",
    "--format",
    "docker",
    "--isolation",
    "chroot",
    "--build-arg",
    `BASE=${base}`,
    "-t",
    image,
    "-f",
    "deploy/Containerfile",
    ".",
  );
  const megabytes = Number(podman("inspect", image, "--format", "{{.Size}}")) / 1_000_000;
  if (megabytes > mostMegabytes) throw new Error(`the image has ${megabytes} MB`);
  return `${megabytes.toFixed(0)} MB of ${mostMegabytes}`;
};

/** Starts the server as the guide does, with the limits that a host without all capabilities allows. */
const start = async (): Promise<string> => {
  const limits = [
    "--ulimit",
    "nofile=4096:4096",
    "--ulimit",
    "nproc=4096:4096",
    "--cgroups=disabled",
    "--no-healthcheck",
  ];
  const safety = [
    "--read-only",
    "--tmpfs",
    "/tmp",
    "--cap-drop",
    "ALL",
    "--security-opt",
    "no-new-privileges",
  ];
  const settings = [`PORT=${port}`, "SMTP_PORT=2599", "SUBMISSION_PORT=0", "SUBMISSIONS_PORT=0"].flatMap(
    (one) => ["-e", one],
  );
  podman(
    "run",
    "-d",
    "--name",
    container,
    ...limits,
    ...safety,
    "--network",
    "host",
    "-v",
    `${container}:/data`,
    ...settings,
    image,
  );
  for (let tries = 0; tries < 300; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
    if (answer?.ok) return "ready";
    await sleep(100);
  }
  throw new Error(`not ready:\n${podman("logs", container)}`);
};

const node = (...words: readonly string[]): string => podman("exec", container, "/opt/bauta/node", ...words);

const look = (): string => {
  const user = node("-p", "process.getuid()");
  const write = node(
    "-p",
    'try { require("fs").writeFileSync("/opt/x", ""); "writable" } catch (error) { error.code }',
  );
  if (user !== "10001" || write !== "EROFS") throw new Error(`user ${user}, root ${write}`);
  return `user ${user}, read-only root, ${node("/opt/bauta/dist/server/bauta.js", "user", "list").split("\n").at(-1)}`;
};

const stop = (): string => {
  podman("stop", "-t", "12", container);
  const code = podman("inspect", container, "--format", "{{.State.ExitCode}}");
  if (code !== "0") throw new Error(`it ended with ${code}`);
  return "ended with 0";
};

/** Builds the image on a fresh Debian, without a registry of images, and runs it. Needs root, podman and debootstrap. */
export const run = async (): Promise<void> => {
  if (process.getuid?.() !== 0 || spawnSync("podman", ["--version"]).error) {
    console.log("Skipped: it needs root and podman.");
    return;
  }
  if (!existsSync(join(product, "dist/server/main.js"))) throw new Error("Run npm run build first.");
  try {
    await timed("base: a fresh Debian", importBase);
    await timed("build: deploy/Containerfile", build);
    await timed("start: read-only root, no capabilities", start);
    await timed("look: user, root, operator's command", look);
    await timed("stop: SIGTERM", stop);
  } finally {
    spawnSync("podman", ["rm", "-f", "-v", container]);
    spawnSync("podman", ["volume", "rm", container]);
    spawnSync("podman", ["rmi", "-f", image, base]);
  }
};

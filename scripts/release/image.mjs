// The image of a container, as one file that `podman load` and `docker load` take. Needs podman; where registries of images are
// out of reach, the variable BASE names a Debian image that podman has.
import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { run } from "./build.mjs";
import { product, version } from "./stage.mjs";

/** The names that images give the platforms that the server is for. */
const architectures = { "linux-x64": "amd64", "linux-arm64": "arm64" };

const readyWithinMs = 60_000;

const revision = () => spawnSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).stdout.trim();

const nameOf = (architecture) => `localhost/${product}:${version}-${architecture}`;

/** Writes the image into a folder; returns its name. */
export const writeImage = ({ parent, tree, out, platform, seconds }) => {
  const architecture = architectures[platform];
  if (!architecture) throw new Error(`There is no image for ${platform}.`);
  const labels = { version, revision: revision(), created: new Date(seconds * 1_000).toISOString() };
  const build = [
    ...["build", "--format", "docker", "--platform", `linux/${architecture}`, "--timestamp", String(seconds)],
    ...["--build-arg", "BASE", "--tag", nameOf(architecture), "--file", "deploy/Containerfile"],
    ...Object.entries(labels).flatMap(([key, value]) => [
      "--label",
      `org.opencontainers.image.${key}=${value}`,
    ]),
  ];
  run("podman", [...build, tree], { cwd: tree });
  const archive = join(parent, "image.tar");
  run("podman", ["save", "--output", archive, nameOf(architecture)]);
  run("gzip", ["--no-name", archive]);
  const file = `${product}-${version}-${platform}.image.tar.gz`;
  cpSync(`${archive}.gz`, join(out, file));
  return file;
};

const maxBytes = 180_000_000;

/** Starts the image of this machine as docs/self-hosting.md says, and says how large it is and how soon it is ready. */
export const tryImage = async (platform) => {
  const name = nameOf(architectures[platform]);
  const bytes = Number(run("podman", ["image", "inspect", "--format", "{{.Size}}", name]));
  if (bytes > maxBytes) throw new Error(`The image has ${bytes} bytes, at most ${maxBytes} allowed.`);
  const began = performance.now();
  const id = String(
    run("podman", ["run", "--detach", "--read-only", "--tmpfs", "/tmp", "--volume", "/data", name]),
  ).trim();
  try {
    while (spawnSync("podman", ["healthcheck", "run", id]).status !== 0) {
      if (performance.now() - began > readyWithinMs)
        throw new Error(`The server of the image does not start: ${run("podman", ["logs", id])}`);
      await wait(100);
    }
    console.log(
      `The image has ${Math.round(bytes / 1e6)} MB and is ready in ${Math.round(performance.now() - began)} ms`,
    );
  } finally {
    run("podman", ["rm", "--force", "--volumes", id]);
  }
};

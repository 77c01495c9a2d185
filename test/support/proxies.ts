import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hungMs } from "./limits.ts";
import { ended, unprivileged } from "./postgresqlServer.ts";

/** Debian has servers where programs of administrators are. */
const env = { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin` };

const apacheModules = "/usr/lib/apache2/modules";

/**
 * The lines of docs/self-hosting.md for a program, as they stand behind its name in a block of code; under a path with what its row
 * of the table there replaces.
 */
const linesFor = (name: string, isUnderPath: boolean): string => {
  const page = readFileSync(new URL("../../docs/self-hosting.md", import.meta.url), "utf8");
  const lines = new RegExp(`\`\`\`${name.toLowerCase()}\n([\\s\\S]*?)\`\`\``).exec(page)?.[1];
  const [, before = "", after = ""] =
    new RegExp(`^\\| ${name} \\| \`(.+)\` \\| \`(.+)\` \\|$`, "m").exec(page) ?? [];
  if (lines === undefined || !lines.includes(before) || after === "")
    throw new Error(`docs/self-hosting.md has no lines for ${name}`);
  return isUnderPath ? lines.replace(before, () => after) : lines;
};

interface Program {
  readonly command: string;
  readonly versionFlag: string;
  /** What stands around the lines of the page, and listens without TLS. */
  readonly configuration: (lines: string, folder: string, port: number) => string;
  readonly options: (file: string, folder: string) => readonly string[];
}

const programs = {
  nginx: {
    command: "nginx",
    versionFlag: "-v",
    configuration: (lines, folder, port) => `daemon off;
pid ${folder}/pid;
events {}
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((one) => `${one}_temp_path ${folder}/${one};`).join("\n  ")}
  server {
    listen 127.0.0.1:${port};
    ${lines}
  }
}
`,
    options: (file, folder) => ["-p", folder, "-e", "stderr", "-c", file],
  },
  Caddy: {
    command: "caddy",
    versionFlag: "version",
    configuration: (lines, _folder, port) =>
      `{\n  admin off\n}\n${lines.replace("app.example.org", `http://127.0.0.1:${port}`)}`,
    options: (file) => ["run", "--config", file, "--adapter", "caddyfile"],
  },
  Apache: {
    command: "apache2",
    versionFlag: "-v",
    configuration: (lines, folder, port) => `ServerName app.example.org
Listen 127.0.0.1:${port}
PidFile ${folder}/pid
DefaultRuntimeDir ${folder}
Mutex file:${folder}
ErrorLog ${folder}/errors
${["mpm_event", "authz_core", "proxy", "proxy_http", "headers"]
  .map((name) => `LoadModule ${name}_module ${apacheModules}/mod_${name}.so`)
  .join("\n")}
${lines}`,
    options: (file) => ["-D", "FOREGROUND", "-f", file],
  },
  HAProxy: {
    command: "haproxy",
    versionFlag: "-v",
    configuration: (lines, _folder, port) => `defaults
  mode http
  timeout connect 5s
  timeout client 50s
  timeout server 50s
${lines.replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)}`,
    options: (file) => ["-db", "-f", file],
  },
} as const satisfies Readonly<Record<string, Program>>;

/** A web server that others have before the app. */
export type ProxyName = keyof typeof programs;
export const proxyNames = Object.keys(programs) as readonly ProxyName[];

/** Whether the program is installed, with the modules that its lines need. */
export const hasProxy = (name: ProxyName): boolean => {
  const { command, versionFlag } = programs[name];
  try {
    execFileSync(command, [versionFlag], { stdio: "ignore", env });
    return name !== "Apache" || existsSync(join(apacheModules, "mod_proxy_http.so"));
  } catch {
    return false;
  }
};

const answers = async (address: string): Promise<boolean> => {
  const answer = await fetch(`${address}/livez`).catch(() => null);
  await answer?.text();
  return answer?.ok ?? false;
};

/**
 * Starts a program at a port of this machine with the lines of docs/self-hosting.md, before the app at another one and below a path,
 * "/bauta" or none.
 */
export const startProxy = async (
  name: ProxyName,
  ports: { readonly own: number; readonly app: number },
  path: string,
): Promise<{ readonly stop: () => Promise<void> }> => {
  const program: Program = programs[name];
  const user = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), "bauta-proxy-"));
  const file = join(folder, "configuration");
  const lines = linesFor(name, path !== "").replace("127.0.0.1:3000", `127.0.0.1:${ports.app}`);
  writeFileSync(file, program.configuration(lines, folder, ports.own));
  if (user.uid !== undefined && user.gid !== undefined)
    for (const path of [folder, file]) chownSync(path, user.uid, user.gid);
  const child: ChildProcess = spawn(program.command, program.options(file, folder), {
    ...user,
    cwd: folder,
    env: { ...env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const errors: Buffer[] = [];
  child.stderr?.on("data", (chunk: Buffer) => errors.push(chunk));
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended(child);
    rmSync(folder, { recursive: true, force: true });
  };
  const since = performance.now();
  while (!(await answers(`http://127.0.0.1:${ports.own}${path}`))) {
    if (child.exitCode !== null || performance.now() - since > hungMs) {
      await stop();
      throw new Error(`${name} does not start: ${Buffer.concat(errors).toString()}`);
    }
    await sleep(50);
  }
  return { stop };
};

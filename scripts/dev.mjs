// `npm run dev`: rebuilds the page after each change and reloads it; restarts the server after each change of its own.
//
// Reloading is an event stream on a port of its own. The built page gets a script that listens to it, and the server
// is told the stream's origin by DEV_RELOAD_ORIGIN, so that its Content-Security-Policy lets the page connect there.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { watchPage } from "../build.mjs";

const root = join(import.meta.dirname, "..");
const healthUrl = `http://${process.env.HOST ?? "127.0.0.1"}:${process.env.PORT ?? "3000"}/healthz`;
const serverStartsWithinMs = 20_000;
const pollMs = 150;

const listeners = new Set();
const stream = createServer((_, response) => {
  response.writeHead(200, {
    "access-control-allow-origin": "*",
    "cache-control": "no-store",
    "content-type": "text/event-stream",
  });
  response.write("retry: 500\n\n");
  listeners.add(response);
  response.on("close", () => listeners.delete(response));
});
await new Promise((listening) => stream.listen(0, "127.0.0.1", listening));
const origin = `http://127.0.0.1:${stream.address().port}`;

const serverIsUp = async () => {
  for (let waited = 0; waited < serverStartsWithinMs; waited += pollMs) {
    if (
      await fetch(healthUrl).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return true;
    await pause(pollMs);
  }
  return false;
};

const reload = async () => {
  console.log("built dist/web");
  if (listeners.size === 0) return;
  // A change in core restarts the server too: a page that reloads at once would find nobody.
  await pause(pollMs);
  if (await serverIsUp()) for (const listener of listeners) listener.write("data: reload\n\n");
};

const script = {
  name: "dev-reload.js",
  text: `new EventSource(${JSON.stringify(origin)}).addEventListener("message", () => location.reload());\n`,
};

let serve;
const firstBuild = new Promise((done) => {
  serve = done;
});
const stopWatching = await watchPage(root, {
  scripts: [script],
  built: () => {
    serve();
    // Builds go on while the page waits for the server.
    void reload();
  },
});
await firstBuild;

const server = spawn(process.execPath, ["--watch", "server/main.ts"], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, DEV_RELOAD_ORIGIN: origin },
});

const stop = async () => {
  server.kill("SIGTERM");
  for (const listener of listeners) listener.end();
  stream.close();
  await stopWatching();
};
process.once("SIGINT", stop);
process.once("SIGTERM", stop);
server.once("exit", (code) => {
  process.exitCode = code ?? 0;
  // The process ends by itself when nothing runs any more.
  void stop();
});

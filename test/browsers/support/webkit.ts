import { once } from "node:events";
import { existsSync, globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../server/support/until.ts";
import { freePort } from "../../support/freePort.ts";
import { type RunningProgram, startProgram } from "./childProcess.ts";
import { type BrowserKind, type BrowserPage, commandLimitMs, type Driver } from "./driver.ts";

const driverPath = "/usr/bin/WebKitWebDriver";
const displayPath = "/usr/bin/Xvfb";
const browserPath = globSync("/usr/lib/*/webkit2gtk-4.*/MiniBrowser")[0] ?? "";

/** The name of the member that holds a reference to an element in WebDriver. */
const elementKey = "element-6066-11e4-a52e-4f735466cecf";

type Request = (method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<unknown>;

const requestTo =
  (base: string): Request =>
  async (method, path, body) => {
    const answer = await fetch(`${base}${path}`, {
      method,
      signal: AbortSignal.timeout(commandLimitMs),
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await answer.json()) as { readonly value: unknown };
    if (answer.ok) return value;
    const { error, message } = value as { readonly error: string; readonly message: string };
    throw new Error(`${method} ${path}: ${error}, ${message}`);
  };

/** Calls an asynchronous function body; what it returns or throws comes back as a pair. */
const called = (body: string): string => `const args = [...arguments]; const done = args.pop();
  (async function () { ${body} })(...args).then((it) => done([true, it ?? null]), (error) => done([false, String(error)]));`;

const pageOf = (request: Request): BrowserPage => {
  const evaluate = async (script: string, args: readonly unknown[]): Promise<unknown> => {
    const [isDone, value] = (await request("POST", "/execute/async", { script, args })) as [boolean, unknown];
    if (!isDone) throw new Error(String(value));
    return value;
  };
  return {
    open: async (url) => {
      await request("POST", "/url", { url });
    },
    reload: async () => {
      await request("POST", "/refresh", {});
    },
    run: (body, ...args) => evaluate(called(body), args),
    runInFrame: async (expression) => {
      await request("POST", "/frame", { id: 0 });
      const value = await request("POST", "/execute/sync", { script: `return ${expression};`, args: [] });
      await request("POST", "/frame", { id: null });
      return value;
    },
    perform: async (sources) => {
      await request("POST", "/actions", { actions: sources });
      await request("DELETE", "/actions");
    },
    chooseFile: async (body, args, file) => {
      const element = (await evaluate(called(body), args)) as { readonly [elementKey]: string };
      await request("POST", `/element/${element[elementKey]}/value`, { text: file });
    },
  };
};

const isListening = async (port: number): Promise<boolean> => {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

/** The time in which the browser and its driver have to listen, in milliseconds. */
const listenLimitMs = 20_000;

/**
 * Starts a display in memory, and for each page a browser with a driver. The driver would start the browser itself, but
 * on a port that any other program can take before the browser does; it would then wait for that program for ever.
 */
const start = async (): Promise<Driver> => {
  // Without -noreset it starts anew when a browser closes, and refuses the next one meanwhile.
  const display = await startProgram(
    displayPath,
    ["-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp", "-noreset"],
    { readsFrom: "stdout", ready: /^(\d+)\n/ },
  );
  let closePage = async (): Promise<void> => {};
  const openPage = async (): Promise<BrowserPage> => {
    const home = await mkdtemp(join(tmpdir(), "bauta-webkit-"));
    const [browserPort, driverPort] = [await freePort(), await freePort()];
    const browserAddress = `127.0.0.1:${browserPort}`;
    const programs: RunningProgram[] = [];
    closePage = async () => {
      for (const program of programs) await program.stop();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    };
    programs.push(
      await startProgram(browserPath, ["--automation"], {
        env: {
          WEBKIT_INSPECTOR_SERVER: browserAddress,
          DISPLAY: `:${display.said}`,
          HOME: home,
          XDG_DATA_HOME: home,
          XDG_CACHE_HOME: home,
          GDK_BACKEND: "x11",
          LIBGL_ALWAYS_SOFTWARE: "1",
          NO_AT_BRIDGE: "1",
        },
        readsFrom: "stdout",
      }),
    );
    programs.push(
      await startProgram(driverPath, ["-p", String(driverPort), "-t", browserAddress], {
        readsFrom: "stdout",
      }),
    );
    await until("the browser listens", () => isListening(browserPort), listenLimitMs);
    await until("its driver listens", () => isListening(driverPort), listenLimitMs);
    const request = requestTo(`http://127.0.0.1:${driverPort}`);
    const { sessionId } = (await request("POST", "/session", { capabilities: {} })) as {
      readonly sessionId: string;
    };
    return pageOf((method, path, body) => request(method, `/session/${sessionId}${path}`, body));
  };
  return {
    newPage: async () => {
      await closePage();
      return openPage();
    },
    stop: async () => {
      await closePage();
      await display.stop();
    },
  };
};

/** WebKit by WebDriver's classic protocol; its browser needs a display. */
export const webkit: BrowserKind = {
  name: "WebKit",
  missing: () => [
    ...(existsSync(driverPath) && existsSync(browserPath) ? [] : ["webkit2gtk-driver"]),
    ...(existsSync(displayPath) ? [] : ["xvfb"]),
  ],
  start,
};

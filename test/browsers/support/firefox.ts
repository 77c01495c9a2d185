import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProgram } from "./childProcess.ts";
import { type BrowserKind, type BrowserPage, commandLimitMs, type Driver } from "./driver.ts";

const path = process.env["FIREFOX_PATH"] ?? "/usr/bin/firefox-esr";

interface Reply {
  readonly id?: number;
  readonly type: string;
  readonly result?: unknown;
  readonly error?: string;
  readonly message?: string;
}

type Command = <A>(method: string, params?: object) => Promise<A>;

/** WebDriver BiDi: numbered commands over one WebSocket. */
const connect = async (url: string): Promise<{ readonly command: Command; readonly close: () => void }> => {
  const socket = new WebSocket(url);
  const waiting = new Map<number, (reply: Reply) => void>();
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => reject(new Error(`no connection to ${url}`)));
  });
  socket.addEventListener("message", ({ data }) => {
    const reply: Reply = JSON.parse(String(data));
    if (reply.id === undefined) return;
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  socket.addEventListener("close", () => {
    for (const answer of waiting.values())
      answer({ type: "error", error: "closed", message: "the browser ended" });
    waiting.clear();
  });
  let last = 0;
  return {
    command: async <A>(method: string, params: object = {}) => {
      last += 1;
      const id = last;
      const reply = await new Promise<Reply>((resolve) => {
        const timer = setTimeout(
          () => resolve({ type: "error", error: "timeout", message: "no answer" }),
          commandLimitMs,
        );
        waiting.set(id, (answer) => {
          clearTimeout(timer);
          resolve(answer);
        });
        socket.send(JSON.stringify({ id, method, params }));
      });
      if (reply.type === "error") throw new Error(`${method}: ${reply.error}, ${reply.message}`);
      return reply.result as A;
    },
    close: () => socket.close(),
  };
};

interface Evaluation {
  readonly type: "success" | "exception";
  readonly result?: { readonly value?: unknown; readonly sharedId?: string };
  readonly exceptionDetails?: { readonly text: string };
}

const resultOf = ({ result, exceptionDetails }: Evaluation): NonNullable<Evaluation["result"]> => {
  if (exceptionDetails) throw new Error(exceptionDetails.text);
  return result ?? {};
};

const parsed = (value: unknown): unknown => (typeof value === "string" ? JSON.parse(value) : undefined);

const pageOf = (command: Command, context: string): BrowserPage => {
  const evaluate = async (expression: string, target: string): Promise<NonNullable<Evaluation["result"]>> =>
    resultOf(
      await command<Evaluation>("script.evaluate", {
        expression,
        target: { context: target },
        awaitPromise: true,
      }),
    );
  const called = (body: string, args: readonly unknown[]): string =>
    `(async function () { ${body} })(...${JSON.stringify(args)})`;
  return {
    open: async (url) => {
      await command("browsingContext.navigate", { context, url, wait: "complete" });
    },
    reload: async () => {
      await command("browsingContext.reload", { context, wait: "complete" });
    },
    run: async (body, ...args) =>
      parsed((await evaluate(`${called(body, args)}.then((it) => JSON.stringify(it))`, context)).value),
    runInFrame: async (expression) => {
      const { contexts } = await command<{
        readonly contexts: readonly { readonly children: readonly { readonly context: string }[] }[];
      }>("browsingContext.getTree", { root: context });
      const frame = contexts[0]?.children[0]?.context;
      return frame === undefined
        ? undefined
        : parsed((await evaluate(`JSON.stringify(${expression})`, frame)).value);
    },
    perform: async (sources) => {
      await command("input.performActions", { context, actions: sources });
      await command("input.releaseActions", { context });
    },
    chooseFile: async (body, args, file) => {
      const { sharedId } = await evaluate(called(body, args), context);
      await command("input.setFiles", { context, element: { sharedId }, files: [file] });
    },
  };
};

/** Firefox, with what it does beside the other browsers. */
interface FirefoxDriver extends Driver {
  /** Installs an unpacked extension. */
  readonly installExtension: (folder: string) => Promise<void>;
}

/** Starts Firefox without a window and with a new profile, which may have settings, and connects to it by WebDriver BiDi. */
export const startFirefox = async (
  settings: Readonly<Record<string, string | boolean>> = {},
  flags: readonly string[] = [],
): Promise<FirefoxDriver> => {
  const profile = await mkdtemp(join(tmpdir(), "bauta-firefox-"));
  const lines = Object.entries(settings).map(
    (setting) => `user_pref(${JSON.stringify(setting).slice(1, -1)});\n`,
  );
  await writeFile(join(profile, "user.js"), lines.join(""));
  const removeProfile = (): Promise<void> => rm(profile, { recursive: true, force: true, maxRetries: 5 });
  const browser = await startProgram(
    path,
    [
      "--headless",
      "--no-remote",
      ...flags,
      "--profile",
      profile,
      "--remote-debugging-port",
      "0",
      "about:blank",
    ],
    {
      env: { MOZ_CRASHREPORTER_DISABLE: "1", HOME: profile },
      readsFrom: "stderr",
      ready: /WebDriver BiDi listening on (ws:\S+)\n/,
    },
  ).catch(async (error: unknown) => {
    await removeProfile();
    throw error;
  });
  const { command, close } = await connect(`${browser.said}/session`);
  await command("session.new", { capabilities: {} });
  let contexts: readonly string[] = [];
  return {
    newPage: async () => {
      for (const userContext of contexts) await command("browser.removeUserContext", { userContext });
      const { userContext } = await command<{ readonly userContext: string }>("browser.createUserContext");
      contexts = [userContext];
      const { context } = await command<{ readonly context: string }>("browsingContext.create", {
        type: "tab",
        userContext,
      });
      return pageOf(command, context);
    },
    installExtension: async (folder) => {
      await command("webExtension.install", { extensionData: { type: "path", path: folder } });
    },
    stop: async () => {
      close();
      await browser.stop();
      await removeProfile();
    },
  };
};

/** Firefox by WebDriver BiDi, which it speaks itself. */
export const firefox: BrowserKind = {
  name: "Firefox",
  missing: () => (existsSync(path) ? [] : ["firefox-esr"]),
  start: () => startFirefox(),
};

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import type { BrowserPage, InputSource } from "./driver.ts";
import type { PageTools, Target, Words } from "./inPage.ts";

/** The time in which something has to appear, in milliseconds; it is long because machines are busy. */
const patienceMs = 60_000;

type Name = string | RegExp;

const wordsOf = (name: Name): Words =>
  typeof name === "string" ? name : { source: name.source, flags: name.flags };

/** An element by its role and name. */
export const byRole = (role: string, name?: Name, more: Omit<Target, "role" | "name"> = {}): Target => ({
  role,
  ...(name !== undefined && { name: wordsOf(name) }),
  ...more,
});

/** The element that shows a text by itself. */
export const byText = (text: Name, more: Omit<Target, "text"> = {}): Target => ({
  text: wordsOf(text),
  ...more,
});

/** A field by its label. */
export const field = (label: Name): Target => ({ label: wordsOf(label) });

export const button = (name: Name, within?: Target): Target => byRole("button", name, within && { within });
export const textbox = (name: Name, within?: Target): Target => byRole("textbox", name, within && { within });
export const heading = (name: Name): Target => byRole("heading", name);
export const dialog = (name?: Name): Target => byRole("dialog", name);

/** What the journeys do in a page. Each waits until it can be done. */
export interface UserPage {
  readonly open: (url: string) => Promise<void>;
  readonly reload: () => Promise<void>;
  readonly click: (target: Target) => Promise<void>;
  /** Replaces the text of a field by typing, a line break by Enter. */
  readonly type: (target: Target, text: string) => Promise<void>;
  /** Presses a key, such as "a" or one of `keys`, where the focus is. */
  readonly press: (key: string) => Promise<void>;
  readonly chooseFile: (target: Target, path: string) => Promise<void>;
  readonly see: (target: Target) => Promise<void>;
  /** Waits until an element is gone. */
  readonly miss: (target: Target) => Promise<void>;
  readonly texts: (target: Target) => Promise<readonly string[]>;
  readonly isFocused: (target: Target) => Promise<boolean>;
  /** Waits until the first frame of the page shows a text. */
  readonly seeInFrame: (text: string) => Promise<void>;
  /** Runs the body of a function in the page. */
  readonly run: BrowserPage["run"];
  /** Waits until the body of a function returns true. */
  readonly until: (what: string, body: string) => Promise<void>;
  /** What the page could not run and what its policy refused since it was loaded. */
  readonly complaints: () => Promise<readonly string[]>;
}

/** Keys without a character of their own (WebDriver). */
export const keys = { enter: "\uE007", escape: "\uE00C", tab: "\uE004", arrowUp: "\uE013" };

const bundle = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "inPage.ts")],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    define: { "process.env.NODE_ENV": '"production"', "process.env": "{}" },
  });
  return outputFiles[0]?.text ?? "";
};
let bundled: Promise<string> | undefined;

const pressOf = (key: string): readonly object[] => [
  { type: "keyDown", value: key },
  { type: "keyUp", value: key },
];

const keyboard = (actions: readonly object[]): readonly InputSource[] => [
  { type: "key", id: "keyboard", actions },
];

const mouse = (x: number, y: number): readonly InputSource[] => [
  {
    type: "pointer",
    id: "mouse",
    parameters: { pointerType: "mouse" },
    actions: [
      { type: "pointerMove", x, y, duration: 0, origin: "viewport" },
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ],
  },
];

/** Creates the page of the journeys from what a browser offers. */
export const createUserPage = async (page: BrowserPage): Promise<UserPage> => {
  bundled ??= bundle();
  const tools = await bundled;
  const install = async (): Promise<void> => {
    await page.run(`if (!globalThis.bautaTools) { ${tools} }`);
  };
  const call = async <Name extends keyof PageTools>(
    name: Name,
    ...args: Parameters<PageTools[Name]>
  ): Promise<Awaited<ReturnType<PageTools[Name]>>> => {
    const body = "return globalThis.bautaTools ? [await bautaTools[arguments[0]](arguments[1])] : null";
    const found = await page.run(body, name, ...args);
    if (Array.isArray(found)) return found[0];
    await install();
    return call(name, ...args);
  };
  const soon = async <A>(what: string, look: () => Promise<A | null | undefined | false>): Promise<A> => {
    const end = performance.now() + patienceMs;
    let failure: unknown = "";
    while (performance.now() < end) {
      try {
        const found = await look();
        if (found !== null && found !== undefined && found !== false) return found;
      } catch (error) {
        // A document that is being replaced cannot answer.
        failure = error;
      }
      await sleep(30);
    }
    const shown = await page.run("return document.body.innerText").catch(() => "");
    throw new Error(`waited in vain: ${what} ${failure}\nThe page shows:\n${shown}`);
  };
  const click = async (target: Target): Promise<void> => {
    await soon(`to press ${JSON.stringify(target)}`, async () => {
      const place = await call("placeOf", target);
      if (place === null) return false;
      await page.perform(mouse(place.x, place.y));
      // What has loaded meanwhile can have moved the target. A page that is being replaced was met.
      return call("hasMet").catch(() => true);
    });
  };
  return {
    open: async (url) => {
      await page.open(url);
      await install();
    },
    reload: async () => {
      await page.reload();
      await install();
    },
    click,
    type: async (target, text) => {
      await click(target);
      await soon(`the focus in ${JSON.stringify(target)}`, () => call("focusAndSelect", target));
      await page.perform(keyboard([...text].flatMap((one) => pressOf(one === "\n" ? keys.enter : one))));
      await soon(`${JSON.stringify(text)} in ${JSON.stringify(target)}`, async () => {
        const value = await call("value", target);
        // A form can send itself after the last character, and is gone.
        if (value !== text && value !== undefined && value !== null)
          throw new Error(`it has ${JSON.stringify(value)}`);
        return true;
      });
    },
    press: (key) => page.perform(keyboard(pressOf(key))),
    chooseFile: async (target, path) => {
      await soon(JSON.stringify(target), async () => (await call("count", target)) > 0);
      await page.chooseFile("return bautaTools.element(arguments[0])", [target], path);
    },
    see: async (target) => {
      await soon(JSON.stringify(target), async () => (await call("count", target)) > 0);
    },
    miss: async (target) => {
      await soon(`the end of ${JSON.stringify(target)}`, async () => (await call("count", target)) === 0);
    },
    texts: (target) => call("texts", target),
    isFocused: (target) => call("isFocused", target),
    seeInFrame: async (text) => {
      await soon(`${text} in the frame`, async () =>
        String(await page.runInFrame("document.body.innerText")).includes(text),
      );
    },
    run: page.run,
    until: async (what, body) => {
      await soon(what, () => page.run(body).then((it) => it === true));
    },
    complaints: () => call("complaints"),
  };
};

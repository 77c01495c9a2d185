import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { createBrowserToken, startExtension, wholeChromiumPath } from "../../test/e2e/support/extension.ts";
import { type RunningServer, startServer } from "../../test/e2e/support/server.ts";
import { untilPainted } from "../page/painting.ts";
import { readTree } from "../page/prototypeTree.ts";

const rounds = Number(process.env["ROUNDS"] ?? 30);
const masks = 20;
const site = "shop.example";

type Extension = Awaited<ReturnType<typeof startExtension>>;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const browserWith = `globalThis.chrome.tabs.query = async () => [{ id: 1, url: "https://${site}/" }];`;

const open = async ({ context, background }: Extension, name: string): Promise<Page> => {
  const page = await context.newPage();
  await page.addInitScript(`${browserWith} window.maskPainted = (${untilPainted.toString()})("[data-copy]")`);
  await page.goto(new URL(name, background.url()).href, { waitUntil: "commit" });
  return page;
};

const measure = async (extension: Extension, name: string): Promise<number> => {
  const page = await open(extension, name);
  const ms = await page.evaluate(
    () => (window as Window & { readonly maskPainted?: Promise<number> }).maskPainted ?? 0,
  );
  await page.close();
  return ms;
};

/** Stores values as the extension does. */
const store = (page: Pick<Page, "evaluate">, items: object): Promise<void> =>
  page.evaluate((stored) => {
    const { chrome } = globalThis as unknown as {
      readonly chrome: { readonly storage: { readonly local: { set: (items: object) => Promise<void> } } };
    };
    return chrome.storage.local.set(stored);
  }, items);

/** Puts two popups that show the same beside ours: one without scripts, and one of React alone. */
const addBarePopups = async (extension: Extension, folder: string): Promise<void> => {
  const page = await open(extension, "popup.html");
  await page.getByRole("list", { name: "Other masks" }).waitFor();
  const tree = await readTree(page);
  const shown = await page.evaluate(() => document.getElementById("page")?.innerHTML ?? "");
  await store(page, { tree });
  await page.close();
  const html = (body: string, script: string): string =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Bare</title><link rel="stylesheet" href="pages.css"><link rel="stylesheet" href="popup.css">${script}</head><body><div id="page">${body}</div></body></html>`;
  await writeFile(join(folder, "still.html"), html(shown, ""));
  await writeFile(join(folder, "react.html"), html("", '<script type="module" src="react.js"></script>'));
  await build({
    entryPoints: [join(import.meta.dirname, "barePopup.tsx")],
    outfile: join(folder, "react.js"),
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    define: { "process.env.NODE_ENV": '"production"' },
  });
};

const connect = async ({ background }: Extension, server: RunningServer): Promise<void> => {
  const token = await createBrowserToken(server, "popup@example.org");
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  for (let n = 0; n < masks; n += 1) {
    const body = JSON.stringify({ description: `Mask ${n}`, ...(n === 0 && { madeFor: site }) });
    await fetch(`${server.url}/masks`, { method: "POST", headers, body });
  }
  const scopes = ["masks:create", "masks:read", "masks:write", "log:read", "codes:read"];
  const connection = JSON.stringify({ server: server.url, token, tokenId: "t1", name: "Bench", scopes });
  await store(background, { connection });
};

/** Measures when the popup of the extension has painted the known mask of a site, beside bare popups that show the same. */
export const run = async (): Promise<void> => {
  const executablePath = wholeChromiumPath();
  if (executablePath === undefined) throw new Error("there is no whole Chromium");
  const folder = await mkdtemp(join(tmpdir(), "bauta-popup-"));
  const server = await startServer({ LOG_LEVEL: "silent" });
  const extension = await startExtension(folder, executablePath);
  try {
    await connect(extension, server);
    await addBarePopups(extension, join(folder, "built", "chromium"));
    const names = ["popup.html", "react.html", "still.html"];
    const times = new Map<string, number[]>(names.map((name) => [name, []]));
    // The first round fills the caches.
    for (let n = 0; n <= rounds; n += 1)
      for (const name of names) {
        const ms = await measure(extension, name);
        if (n > 0) times.get(name)?.push(ms);
      }
    const of = (name: string): number => median(times.get(name) ?? []);
    console.log(`${masks} masks, median of ${rounds}`);
    console.log(`mask painted            ${of("popup.html").toFixed(0)} ms`);
    for (const [name, what] of [
      ["react.html", "popup of React alone"],
      ["still.html", "popup without scripts"],
    ] as const)
      console.log(
        `${what.padEnd(23)} ${of(name).toFixed(0)} ms, ratio ${(of("popup.html") / of(name)).toFixed(2)}`,
      );
  } finally {
    await extension.context.close();
    await server.stop();
    await server.removeData();
    await rm(folder, { recursive: true, force: true });
  }
};

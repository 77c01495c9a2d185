import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { readTree } from "./prototypeTree.ts";

/** The page without the product: what the product shows, rendered by React and rxjs alone, with the same answer and stylesheet. */
export interface Prototype {
  readonly url: string;
  readonly stop: () => void;
}

/** Serves the prototype of the page that the product shows in `page`. */
export const servePrototype = async (page: Page, masks: string): Promise<Prototype> => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "prototypeApp.tsx")],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    conditions: ["es2015", "module", "browser"],
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const styles = await page.evaluate(async () => {
    const href = document.querySelector<HTMLLinkElement>("link[rel=stylesheet]")?.href ?? "";
    return (await fetch(href)).text();
  });
  const theme = await page.evaluate(() => document.documentElement.dataset["theme"] ?? "light");
  const html = `<!doctype html><html lang="en" data-theme="${theme}"><head><meta charset="utf-8"><title>Prototype</title>
<link rel="stylesheet" href="/styles.css"><script type="module" src="/app.js"></script></head><body><div id="page"></div></body></html>`;
  const files = new Map<string, readonly [string, Buffer]>([
    ["/", ["text/html; charset=utf-8", gzipSync(html)]],
    ["/app.js", ["text/javascript", gzipSync(outputFiles[0]?.contents ?? "")]],
    ["/styles.css", ["text/css", gzipSync(styles)]],
    ["/masks", ["application/json", gzipSync(masks)]],
    ["/page.json", ["application/json", gzipSync(JSON.stringify(await readTree(page)))]],
  ]);
  const server = createServer((request, response) => {
    const [type, body] = files.get(request.url ?? "") ?? ["text/plain", gzipSync("")];
    response.writeHead(200, { "content-type": type, "content-encoding": "gzip" }).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => void server.close(),
  };
};

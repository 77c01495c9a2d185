import { createServer, type Server } from "node:http";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'nonce-page'",
  "require-trusted-types-for 'script'",
  "trusted-types serviceWorker keyWorker readMail",
].join("; ");

const document = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page</title>
<meta name="viewport" content="width=device-width"><meta property="csp-nonce" nonce="page">
<link rel="stylesheet" href="/page.css"></head>
<body><div id="root"></div><script type="module" src="/page.js"></script></body></html>`;

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Replaces Node's timers, which the fakes use to wait for promises, by the browser's. */
const timersOfBrowsers = {
  name: "timers of browsers",
  setup: ({
    onResolve,
    onLoad,
  }: Parameters<NonNullable<Parameters<typeof build>[0]["plugins"]>[number]["setup"]>[0]) => {
    onResolve({ filter: /^node:timers\/promises$/ }, () => ({ path: "timers", namespace: "browser" }));
    onLoad({ filter: /.*/, namespace: "browser" }, () => ({
      contents: "export const setImmediate = () => new Promise((kept) => setTimeout(kept));",
    }));
    onResolve({ filter: /^(chai|sinon)$/ }, () => ({ path: "none", namespace: "browser" }));
  },
};

const bundle = async (): Promise<ReadonlyMap<string, Uint8Array>> => {
  const styles = ["base", "tokens"].map(
    (name) => `import ${JSON.stringify(path(`../../../web/styles/${name}.css`))};`,
  );
  const { outputFiles } = await build({
    stdin: {
      contents: [...styles, `import ${JSON.stringify(path("../app/pageOnFakes.tsx"))};`].join("\n"),
      resolveDir: path("."),
      sourcefile: "page.js",
    },
    bundle: true,
    splitting: true,
    write: false,
    format: "esm",
    jsx: "automatic",
    entryNames: "page",
    outdir: path("."),
    define: { "process.env.NODE_ENV": '"production"' },
    loader: { ".module.css": "local-css" },
    plugins: [timersOfBrowsers],
    banner: { js: "globalThis.Buffer ??= { from: (text) => ({ toString: () => btoa(text) }) };" },
  });
  return new Map(outputFiles.map((file) => [`/${basename(file.path)}`, file.contents]));
};

/** Adds the styles of lazily loaded components to the page's stylesheet, as the build does. */
const withLateStyles = (files: ReadonlyMap<string, Uint8Array>): Uint8Array =>
  Buffer.concat([...files].filter(([name]) => name.endsWith(".css")).map(([, bytes]) => bytes));

const serve = async (files: ReadonlyMap<string, Uint8Array>): Promise<Server> => {
  const styles = withLateStyles(files);
  const server = createServer((request, response) => {
    const file = request.url === "/page.css" ? styles : files.get(request.url ?? "");
    const type = request.url?.endsWith(".css") ? "text/css" : file ? "text/javascript" : "text/html";
    response.writeHead(200, { "content-type": type, "content-security-policy": contentSecurityPolicy });
    response.end(file ?? document);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
};

/** Serves the whole app over fakes, with the server's Content-Security-Policy. */
export const servePageOnFakes = async (): Promise<Server> => serve(await bundle());

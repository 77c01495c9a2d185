import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

// `npm run gallery`: the design system in a browser, in both themes; a reload shows code changes.

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'nonce-gallery'",
  "frame-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types serviceWorker keyWorker readMail",
].join("; ");

const head = `<meta charset="utf-8"><title>Gallery</title><meta name="viewport" content="width=device-width">
<meta property="csp-nonce" nonce="gallery">`;

/** Renders the gallery's HTML in one theme, or in that of the system. */
const galleryPage = (theme: string | null): string => `<!doctype html>
<html lang="en"${theme === "light" || theme === "dark" ? ` data-theme="${theme}"` : ""}><head>${head}
<link rel="stylesheet" href="/gallery.css"></head>
<body><div id="root"></div><script type="module" src="/gallery.js"></script></body></html>`;

const bothThemes = `<!doctype html>
<html lang="en"><head>${head}<style nonce="gallery">
body { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); margin: 0; height: 100vh }
iframe { width: 100%; height: 100%; border: 0 }
</style></head><body>
<iframe title="Light" src="/gallery?theme=light"></iframe>
<iframe title="Dark" src="/gallery?theme=dark"></iframe>
</body></html>`;

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

type Files = ReadonlyMap<string, Uint8Array>;

/** Bundles the gallery; returns its script and its stylesheet by the path they are served at. */
export const bundleGallery = async (): Promise<Files> => {
  const styles = ["base", "tokens"].map(
    (name) => `import ${JSON.stringify(path(`../../../web/styles/${name}.css`))};`,
  );
  const { outputFiles } = await build({
    stdin: {
      contents: [...styles, `import ${JSON.stringify(path("gallery.tsx"))};`].join("\n"),
      resolveDir: path("."),
      sourcefile: "gallery.js",
    },
    bundle: true,
    splitting: true,
    write: false,
    format: "esm",
    jsx: "automatic",
    entryNames: "gallery",
    outdir: path("."),
    define: { "process.env.NODE_ENV": '"production"' },
    loader: { ".module.css": "local-css" },
  });
  return new Map(outputFiles.map((file) => [`/${basename(file.path)}`, file.contents]));
};

const pageAt = ({ pathname, searchParams }: URL): string =>
  pathname === "/both" ? bothThemes : galleryPage(searchParams.get("theme"));

/** Serves the gallery on `port`, any free one when it is 0; `bundle` is called for each page load. */
export const serveGallery = async (bundle: () => Promise<Files>, port = 0): Promise<Server> => {
  let files = await bundle();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://gallery");
    const isFile = /\.(?:js|css)$/.test(url.pathname);
    if (!isFile) files = await bundle().catch(() => files);
    const file = files.get(url.pathname);
    const type = url.pathname.endsWith(".css") ? "text/css" : isFile ? "text/javascript" : "text/html";
    response.writeHead(isFile && file === undefined ? 404 : 200, {
      "content-type": type,
      "content-security-policy": contentSecurityPolicy,
    });
    response.end(isFile ? file : pageAt(url));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
};

if (import.meta.main) {
  const port = Number(process.env["PORT"] ?? 3001);
  await serveGallery(bundleGallery, port);
  console.log(`The gallery in both themes: http://127.0.0.1:${port}/both`);
}

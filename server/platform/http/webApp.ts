import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import staticFiles from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ClientConfiguration } from "../../../core/api/configuration.ts";
import { escapeHtml } from "../../../core/api/textCodecs.ts";
import { type StoredAnswer, storeAnswer } from "../answers/storedAnswer.ts";
import { sendStoredAnswer } from "./conditionalAnswer.ts";
import { typefacePath } from "./htmlPage.ts";
import { isCompatibleCall } from "./presentedToken.ts";
import { publicPathOf } from "./publicPath.ts";

const baseAddressMeta = /(<meta name="base-address" content=")[^"]*(")/;
const nonceMeta = /(<meta property="csp-nonce" content=")[^"]*(")/;
const configurationMeta = /(<meta name="configuration" content=")[^"]*(")/;
const inlineScript = /<script(?![^>]* src=)[^>]*>([\s\S]*?)<\/script>/g;
const policyName = "content-security-policy";
const hashedName = /-[A-Z0-9]{8}\.[\w.]+$/;

/** True if the Accept header contains text/html; only browser navigation sends that, API calls do not (D4). */
export const acceptsHtml = ({ headers }: FastifyRequest): boolean =>
  (headers.accept ?? "").split(",").some((part) => {
    const [type, ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    return type === "text/html" && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });

/** Sets the name of this server in the web app manifest. */
const manifestOf = async (folder: string, brand: string): Promise<string | undefined> => {
  const text = await readFile(join(folder, "manifest.webmanifest"), "utf8").catch(() => undefined);
  return text && JSON.stringify({ ...(JSON.parse(text) as object), name: brand, short_name: brand });
};

/** The description of the API, with the address of this server. */
const openApiOf = async (folder: string, publicUrl: string): Promise<StoredAnswer | null> => {
  const text = await readFile(join(folder, "openapi.json"), "utf8").catch(() => null);
  if (text === null) return null;
  return storeAnswer(JSON.stringify({ ...(JSON.parse(text) as object), servers: [{ url: publicUrl }] }));
};

/** Has the page find its files and its server under a path. */
const movedTo = (path: string, html: string): string =>
  path === ""
    ? html
    : html
        .replace(baseAddressMeta, (_, before, after) => `${before}${path}${after}`)
        .replaceAll(/(?<= (?:href|src)=")(?=\/)/g, () => path);

/** Allows the scripts that stand in the page itself, by their hashes (CSP 3, 6.7.2). */
const allowInlineScripts = (policy: string, html: string): string => {
  const hashes = [...html.matchAll(inlineScript)].map(
    ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
  return policy.replace("script-src 'self'", () => ["script-src 'self'", ...hashes].join(" "));
};

export interface WebAppDeps {
  readonly folder: string;
  readonly configuration: ClientConfiguration;
  readonly publicUrl: string;
}

/**
 * Serves the web app in `folder`: at "/", "/login", "/developers" and every route with `page` when a browser requests HTML.
 * The page brings the client configuration, which it would request first otherwise.
 * Files with a content hash in their name are cached for a year; the page itself is not, because its nonce
 * changes.
 */
export const serveWebApp = async (
  fastify: FastifyInstance,
  { folder, configuration, publicUrl }: WebAppDeps,
): Promise<void> => {
  const insertedConfiguration = escapeHtml(JSON.stringify(ClientConfiguration.encode(configuration)));
  const sendPage = async (reply: FastifyReply): Promise<FastifyReply> => {
    const html = await readFile(join(folder, "index.html"), "utf8").catch(() => undefined);
    if (html === undefined)
      return reply.code(503).type("text/plain").send("The web app has not been built. Run npm run build.\n");
    const page = movedTo(publicPathOf(publicUrl), html)
      .replace(nonceMeta, (_, before, after) => `${before}${reply.styleNonce}${after}`)
      .replace(configurationMeta, (_, before, after) => `${before}${insertedConfiguration}${after}`);
    return reply
      .header(policyName, allowInlineScripts(String(reply.getHeader(policyName)), page))
      .type("text/html; charset=utf-8")
      .send(page);
  };

  // This hook runs after the rate limit and before the authentication of the route.
  fastify.addHook("preParsing", (request, reply, _payload, done) => {
    if (!request.routeOptions.config.page || isCompatibleCall(request)) return done();
    reply.header("vary", "accept");
    if (acceptsHtml(request)) sendPage(reply).catch(done);
    else done();
  });

  await fastify.register(staticFiles, {
    root: join(folder, "assets"),
    prefix: "/assets/",
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isImmutable = hashedName.test(path.replace(/\.(?:br|gz)$/, ""));
      reply.header("cache-control", isImmutable ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });

  fastify.get(typefacePath, async (_request, reply) => {
    const assets = join(folder, "assets");
    const file = (await readdir(assets).catch(() => [])).find((name) => name.endsWith(".woff2"));
    if (file === undefined) return reply.callNotFound();
    return reply.header("cache-control", "public, max-age=86400").sendFile(file, assets);
  });

  for (const url of ["/", "/login", "/developers"])
    fastify.get(url, { config: { page: true } }, (_request, reply) => sendPage(reply));

  // Here the service worker's scope covers the whole app; browsers revalidate it to find new versions.
  fastify.get("/serviceWorker.js", (_request, reply) => reply.sendFile("serviceWorker.js", folder));

  fastify.get("/manifest.webmanifest", async (_request, reply) => {
    const manifest = await manifestOf(folder, configuration.brand);
    if (manifest === undefined) return reply.callNotFound();
    return reply.header("cache-control", "no-cache").type("application/manifest+json").send(manifest);
  });

  // The licenses ask that whoever gets the page gets them with it.
  fastify.get("/licenses", (_request, reply) => reply.sendFile("THIRD-PARTY-NOTICES.txt", folder));

  // Programs of any origin may read how to call the API.
  let openApi: StoredAnswer | null = null;
  fastify.get("/openapi.json", async (request, reply) => {
    openApi ??= await openApiOf(folder, publicUrl);
    if (openApi === null) return reply.callNotFound();
    reply.header("access-control-allow-origin", "*").header("cache-control", "no-cache");
    return sendStoredAnswer(request, reply, openApi);
  });

  fastify.get<{ Params: { file: string } }>("/:file(^[\\w-]+\\.(?:svg|png|ico|txt)$)", (request, reply) =>
    reply.sendFile(request.params.file, folder),
  );
};

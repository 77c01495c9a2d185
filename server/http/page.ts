import { readFile } from "node:fs/promises";
import { join } from "node:path";
import staticFiles from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

const nonceMeta = /(<meta property="csp-nonce" content=")[^"]*(")/;
const hashedName = /-[A-Z0-9]{8}\.[\w.]+$/;

/** Whether a browser is navigating here: it accepts HTML by name, as no call of ours does (D4). */
export const wantsPage = ({ headers }: FastifyRequest): boolean =>
  (headers.accept ?? "").split(",").some((part) => {
    const [type, ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    return type === "text/html" && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });

/** The page's manifest (W3C Web Application Manifest) in the name of this server. */
const manifestOf = async (folder: string, brand: string): Promise<string | undefined> => {
  const text = await readFile(join(folder, "manifest.webmanifest"), "utf8").catch(() => undefined);
  return text && JSON.stringify({ ...(JSON.parse(text) as object), name: brand, short_name: brand });
};

export interface PageParts {
  /** Where the built page lies. */
  readonly folder: string;
  readonly brand: string;
}

/**
 * Serves the built page in `folder`: at "/" and "/login", at every route marked `page` when a browser asks for HTML,
 * and its files. Files named by their content never change and are kept for a year; the page itself is never kept,
 * because the nonce in it is new each time.
 */
export const servePage = async (fastify: FastifyInstance, { folder, brand }: PageParts): Promise<void> => {
  const sendPage = async (reply: FastifyReply): Promise<FastifyReply> => {
    const html = await readFile(join(folder, "index.html"), "utf8").catch(() => undefined);
    if (html === undefined)
      return reply
        .code(503)
        .type("text/plain")
        .send("The page has not been built yet: npm run build makes it.\n");
    return reply
      .type("text/html; charset=utf-8")
      .send(html.replace(nonceMeta, (_, before, after) => `${before}${reply.styleNonce}${after}`));
  };

  // After the limit of the route, which is counted first, and before anybody asks who is calling.
  fastify.addHook("preParsing", async (request, reply) => {
    if (!request.routeOptions.config.page) return undefined;
    reply.header("vary", "accept");
    if (wantsPage(request)) await sendPage(reply);
    return undefined;
  });

  await fastify.register(staticFiles, {
    root: join(folder, "assets"),
    prefix: "/assets/",
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const kept = hashedName.test(path.replace(/\.(?:br|gz)$/, ""));
      reply.header("cache-control", kept ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });

  for (const url of ["/", "/login"])
    fastify.get(url, { config: { page: true } }, (_request, reply) => sendPage(reply));

  // At the root, so that it may keep the whole page; looked at anew each time, as a new version is found by it.
  fastify.get("/serviceWorker.js", (_request, reply) => reply.sendFile("serviceWorker.js", folder));

  fastify.get("/manifest.webmanifest", async (_request, reply) => {
    const manifest = await manifestOf(folder, brand);
    if (manifest === undefined) return reply.callNotFound();
    return reply.header("cache-control", "no-cache").type("application/manifest+json").send(manifest);
  });

  fastify.get<{ Params: { file: string } }>("/:file(^[\\w-]+\\.(?:svg|png|ico|txt)$)", (request, reply) =>
    reply.sendFile(request.params.file, folder),
  );
};

// `npm run clients`: has four generators make clients of the OpenAPI document, checks the types of a call of each documented
// example, and makes these calls at a server that knows the examples. The generators (250 MB) come from npm for this alone.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { json as readJson } from "node:stream/consumers";
import { isDeepStrictEqual } from "node:util";
import { build } from "esbuild";
import { openApiText } from "./api/openApi.mjs";

const root = join(import.meta.dirname, "..");
const folder = join(root, "node_modules/.cache/clients");
const description = await openApiText();
const { paths } = JSON.parse(description);

const exampleIn = (content) => content?.["application/json"]?.example;
const examplesOf = (place, parameters) =>
  Object.fromEntries(
    parameters.filter((one) => one.in === place).map(({ name, example }) => [name, example]),
  );

/** The calls whose answer is JSON, with their examples. */
const calls = Object.entries(paths).flatMap(([template, operations]) =>
  Object.entries(operations).flatMap(([method, operation]) => {
    const { operationId: id, parameters = [], requestBody, responses } = operation;
    const [status, { content }] = Object.entries(responses).find(([one]) => one.startsWith("2"));
    const answer = exampleIn(content);
    if (answer === undefined) return [];
    const [path, query] = ["path", "query"].map((place) => examplesOf(place, parameters));
    const body = exampleIn(requestBody?.content);
    return { method: method.toUpperCase(), template, id, path, query, body, status: Number(status), answer };
  }),
);

/** The values by name; undefined without any. */
const given = (values) => (Object.keys(values).length === 0 ? undefined : values);
/** The fields that have a value, as the source of an object. */
const objectOf = (fields) =>
  `{ ${Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ")} }`;
/** The values of the path, then the others that are given, as the source of arguments. */
const argumentsOf = ({ path }, ...others) =>
  [...Object.values(path), ...others.filter((one) => one !== undefined)]
    .map((one) => JSON.stringify(one))
    .join(", ");

/** What each generator needs, how it is called, and the source of a program that calls what it has made. */
const generators = {
  "openapi-typescript": {
    packages: ["openapi-typescript@7.13.0", "openapi-fetch@0.17.0"],
    command: ["openapi-typescript", "openapi.json", "-o", "client.ts"],
    head: `import createClient from "openapi-fetch";
import type { paths } from "./client.ts";
const client = createClient<paths>({ baseUrl });`,
    call: ({ method, template, path, query, body }) => {
      const params = given({ ...(given(path) && { path }), ...(given(query) && { query }) });
      return `client.${method}("${template}", ${objectOf({ params, body })})`;
    },
  },
  "@hey-api/openapi-ts": {
    packages: ["@hey-api/openapi-ts@0.95.0"],
    command: ["openapi-ts", "-i", "openapi.json", "-o", "client", "-c", "@hey-api/client-fetch"],
    head: `import { client } from "./client/client.gen";
import * as sdk from "./client/sdk.gen";
client.setConfig({ baseUrl });`,
    call: ({ id, path, query, body }) =>
      `sdk.${id}(${objectOf({ path: given(path), query: given(query), body })})`,
  },
  orval: {
    packages: ["orval@7.13.2"],
    command: ["orval", "--input", "openapi.json", "--output", "client.ts", "--client", "fetch"],
    head: `import * as sdk from "./client.ts";
const send = globalThis.fetch;
globalThis.fetch = (url, init) => send(new URL(String(url), baseUrl), init);`,
    call: (one) => `sdk.${one.id}(${argumentsOf(one, one.body, given(one.query))})`,
  },
  "swagger-typescript-api": {
    packages: ["swagger-typescript-api@13.13.0"],
    command: [
      "swagger-typescript-api",
      "generate",
      "-p",
      "openapi.json",
      "-n",
      "client.ts",
      "--enum-style=union",
    ],
    head: `import { Api } from "./client.ts";
const api = new Api({ baseUrl });`,
    call: (one) => {
      const group = one.template.split("/")[1].replace(/[-.](\w)/g, (_, letter) => letter.toUpperCase());
      return `api.${group}.${one.id}(${argumentsOf(one, given(one.query), one.body)})`;
    },
  },
};

const programOf = ({ head, call }, baseUrl) => `const baseUrl = "${baseUrl}";
${head}
export const main = async (): Promise<Record<string, unknown>> => ({
${calls.map((one) => `  ${one.id}: (await ${call(one)}).data,`).join("\n")}
});
`;

/** Starts a server that answers what arrives as in an example; `problems` says what does not. */
const serveExamples = async () => {
  const problems = [];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    const body = await readJson(request).catch(() => undefined);
    const found = calls.find(
      (one) =>
        one.method === request.method &&
        one.template.replace(/\{(\w+)\}/g, (_, name) => one.path[name]) === decodeURIComponent(pathname),
    );
    const query = Object.fromEntries(
      Object.entries(found?.query ?? {}).map(([name, one]) => [name, String(one)]),
    );
    const isExample =
      isDeepStrictEqual(body, found?.body) && isDeepStrictEqual(Object.fromEntries(searchParams), query);
    if (!isExample) problems.push(`${request.method} ${request.url} is not as in its example`);
    response.writeHead(found?.status ?? 404, { "content-type": "application/json" });
    response.end(JSON.stringify(found?.answer ?? {}));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { server, problems, baseUrl: `http://127.0.0.1:${server.address().port}` };
};

const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  module: "esnext",
  moduleResolution: "bundler",
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable"],
  types: [],
};

const tryGenerator = async (name, generator, { baseUrl, problems }) => {
  const place = join(folder, name.replace(/\W/g, "-"));
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const run = (...words) =>
    execFileSync(words[0], words.slice(1), { cwd: place, stdio: ["ignore", "pipe", "pipe"] });
  writeFileSync(join(place, "package.json"), JSON.stringify({ private: true, type: "module" }));
  writeFileSync(join(place, "openapi.json"), description);
  run(
    "npm",
    "install",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    ...generator.packages,
    "typescript@5.9.3",
  );
  run("npm", "exec", "--", ...generator.command);
  writeFileSync(join(place, "calls.ts"), programOf(generator, baseUrl));
  writeFileSync(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["calls.ts"] }));
  run("npm", "exec", "--", "tsc", "-p", ".");
  await build({
    absWorkingDir: place,
    entryPoints: ["calls.ts"],
    outfile: join(place, "calls.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  const { main } = await import(join(place, "calls.mjs"));
  const answers = await main();
  const other = calls.filter(({ id, answer }) => !isDeepStrictEqual(answers[id], answer)).map(({ id }) => id);
  return [...problems.splice(0), ...other.map((id) => `${id} returns another answer`)];
};

const { server, ...served } = await serveExamples();
for (const [name, generator] of Object.entries(generators)) {
  const problems = await tryGenerator(name, generator, served).catch(({ stdout, stderr, stack, url }) => [
    `${stdout ?? ""}${stderr ?? stack ?? `${url} is refused`}`,
  ]);
  process.stdout.write(`${name}: ${problems.length === 0 ? `${calls.length} calls` : problems.join("\n")}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
server.close();

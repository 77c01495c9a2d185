// Pages of made-up sites with the shapes that sign-up forms have. Each keeps what its script knows of the field in
// `document.title`, as the state of an app does.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { compile as compileSvelte } from "svelte/compiler";
import { compileTemplate } from "vue/compiler-sfc";

const root = join(import.meta.dirname, "../../..");

const field =
  '<label>Email <input id="mail" type="email" name="email" style="width:300px;height:40px"></label>';
const page = (body: string, script = ""): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title></title></head><body>${body}${
    script === "" ? "" : `<script nonce="n0nce">${script}</script>`
  }</body></html>`;

/** Follows a field by one event, as a framework does. */
const follow = (event: string, more = ""): string => `
  const field = document.getElementById("mail");
  field.addEventListener("${event}", (event) => { ${more} document.title = event.target.value; });`;

/** React itself, with an input whose value is its state. */
const reactForm = `
  import { createElement, useState } from "react";
  import { createRoot } from "react-dom/client";
  const Form = () => {
    const [mail, setMail] = useState("");
    document.title = mail;
    return createElement("label", null, "Email ", createElement("input", {
      id: "mail", type: "email", value: mail, style: { width: 300, height: 40 },
      onChange: (event) => setMail(event.target.value.toLowerCase()),
    }));
  };
  createRoot(document.getElementById("root")).render(createElement(Form));`;

/** Vue itself, with an input that is bound by `v-model`, or by its lazy form. */
const vueForm = (model: "v-model" | "v-model.lazy"): string => {
  const source = field.replace("<input", `<input ${model}="mail"`);
  const { code } = compileTemplate({ source, filename: "Form.vue", id: "form" });
  return `import { createApp } from "vue";
    ${code}
    createApp({
      data: () => ({ mail: "" }),
      watch: { mail: (mail) => { document.title = mail; } },
      render,
    }).mount("#root");`;
};

/** Svelte itself, with an input that is bound by `bind:value`. */
const svelteForm = (): string => {
  const source = `<script>
      let mail = $state("");
      $effect(() => { document.title = mail; });
    </script>
    ${field.replace("<input", "<input bind:value={mail}")}`;
  const { js } = compileSvelte(source, { filename: "Form.svelte", name: "Form" });
  return `import { mount } from "svelte";
    ${js.code}
    mount(Form, { target: document.getElementById("root") });`;
};

const bundled = async (contents: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    write: false,
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return outputFiles[0]?.text.replaceAll("</script", "<\\/script") ?? "";
};

/** The forms by their paths. */
const forms = async (): Promise<Readonly<Record<string, string>>> => ({
  "/plain": page(`<form>${field}<button>Sign up</button></form>`, follow("input")),
  "/react": page('<div id="root"></div>', await bundled(reactForm)),
  "/vue": page('<div id="root"></div>', await bundled(vueForm("v-model"))),
  "/vue-lazy": page('<div id="root"></div>', await bundled(vueForm("v-model.lazy"))),
  "/svelte": page('<div id="root"></div>', await bundled(svelteForm())),
  // As Angular's DefaultValueAccessor: the input event, and only while the control is enabled.
  "/angular": page(
    field,
    `${follow("input", "if (event.target.disabled || !(event instanceof InputEvent)) return;")}`,
  ),
  "/frame": page('<iframe src="/plain" width="600" height="200"></iframe>'),
  "/srcdoc": page(`<iframe width="600" height="200" srcdoc='${field.replaceAll("'", "&#39;")}'></iframe>`),
  "/shadow": page(
    '<div id="host"></div>',
    `const outer = document.getElementById("host").attachShadow({ mode: "open" });
     outer.innerHTML = '<section></section>';
     const inner = outer.querySelector("section").attachShadow({ mode: "open" });
     inner.innerHTML = '${field}';
     inner.addEventListener("input", (event) => { document.title = event.target.value; });`,
  ),
  "/closed": page(
    '<div id="host" style="display:inline-block"></div>',
    `const root = document.getElementById("host").attachShadow({ mode: "closed" });
     root.innerHTML = '<input type="email" aria-label="Email" style="width:300px;height:40px;display:block">';
     root.addEventListener("input", (event) => { document.title = event.target.value; });`,
  ),
  "/strict": page(field, follow("input")),
  "/routed": page(
    '<main><button id="go">Sign up</button></main>',
    `document.getElementById("go").addEventListener("click", () => {
       history.pushState(null, "", "/routed/sign-up");
       document.querySelector("main").innerHTML = '${field}';
       ${follow("input")}
     });`,
  ),
  "/steps": page(
    `<form id="first">${field}<button>Next</button></form>`,
    `${follow("input")}
     document.getElementById("first").addEventListener("submit", (event) => {
       event.preventDefault();
       const { value } = document.getElementById("mail");
       document.body.innerHTML = '<form><input type="email" id="mail" readonly style="width:300px;height:40px"><input type="password" id="password"></form>';
       document.getElementById("mail").value = value;
     });`,
  ),
  "/prefilled": page(field, `${follow("input")} field.value = "ada@work.example"; document.title = "";`),
  // An input mask: what does not fit is taken out as it arrives.
  "/masked": page(
    field,
    `const field = document.getElementById("mail");
     field.addEventListener("input", () => {
       field.value = field.value.replace(/[^\\w.@-]/g, "").toLowerCase();
       document.title = field.value;
     });`,
  ),
  "/disabled": page(
    `${field.replace("<input", "<input disabled")}<label><input id="terms" type="checkbox"> Terms</label>`,
    `${follow("input")}
     document.getElementById("terms").addEventListener("change", () => { field.disabled = false; });`,
  ),
  "/late": page(
    '<button id="open">Sign up</button>',
    `document.getElementById("open").addEventListener("click", () => {
       document.body.insertAdjacentHTML("beforeend", '<dialog>${field}</dialog>');
       document.querySelector("dialog").showModal();
       ${follow("input")}
     });`,
  ),
});

const strict = [
  "default-src 'none'",
  "script-src 'nonce-n0nce'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** A server of made-up sites: every name below ".example" reaches it. */
export interface Sites {
  /** Returns the address of a page, as in "/plain" of "shop.example". */
  readonly at: (site: string, path: string) => string;
  /** Serves a page of the test's own. */
  readonly serve: (path: string, html: string) => void;
}

const start = async (pages: Map<string, string>): Promise<Server> => {
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const html = pages.get(path);
    response.setHeader("content-type", "text/html; charset=utf-8");
    if (path === "/strict") response.setHeader("content-security-policy", strict);
    response.writeHead(html === undefined ? 404 : 200).end(html ?? "");
  };
  const server = createServer(answer);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
};

/** Serves the forms for the tests of a `describe`. */
export const useSites = (): Sites => {
  const pages = new Map<string, string>();
  let server: Server | undefined;
  before(async () => {
    for (const [path, html] of Object.entries(await forms())) pages.set(path, html);
    server = await start(pages);
  });
  after(async () => {
    server?.closeAllConnections();
    await new Promise((closed) => server?.close(closed));
  });
  const port = (): number => {
    if (server === undefined) throw new Error("the sites are there only while tests run");
    return (server.address() as AddressInfo).port;
  };
  return {
    at: (site, path) => `http://${site}:${port()}${path}`,
    serve: (path, html) => void pages.set(path, html),
  };
};

/** Returns a page with a field for an email address and a script. */
export const formWith = (script: string, before = ""): string => page(`${before}${field}`, script);

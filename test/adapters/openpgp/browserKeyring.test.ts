import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { build } from "esbuild";
import type { BrowserContext, Page } from "playwright-core";
import { createBrowserKeyring } from "../../../adapters/openpgp/browserKeyring.ts";
import type { Keyring } from "../../../core/ports/keyring.ts";
import { encryptToKey } from "../../../server/relay/encrypt/pgpMime.ts";
import { keyringContract } from "../../contracts/keyringContract.ts";
import { useBrowser } from "../../support/browser.ts";
import type {} from "./keyringPage.ts";

const policy =
  "default-src 'none'; script-src 'self'; require-trusted-types-for 'script'; trusted-types keyWorker";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const built = async (entry: string, format: "esm" | "iife"): Promise<Uint8Array | undefined> => {
  const { outputFiles } = await build({
    entryPoints: [path(entry)],
    bundle: true,
    write: false,
    format,
    conditions: ["browser"],
    define: { __KEY_WORKER__: '"/keyWorker.js"' },
  });
  return outputFiles[0]?.contents;
};

/** Converts bytes to JSON for the page. */
const sent = (arg: unknown): unknown => (arg instanceof Uint8Array ? { bytes: [...arg] } : arg);

/** Creates a keyring that calls the one in a page. */
const keyringIn = (page: Page): Keyring =>
  new Proxy({} as Keyring, {
    get:
      (_, name: keyof Keyring) =>
      (...args: readonly unknown[]) =>
      () =>
        page.evaluate(
          async ([task, given]) => {
            const taken = given.map((arg) =>
              typeof arg === "object" && arg !== null && "bytes" in arg
                ? new Uint8Array(arg.bytes as number[])
                : arg,
            );
            const run = window.keyring[task] as unknown as (
              ...all: readonly unknown[]
            ) => () => Promise<unknown>;
            return run(...taken)();
          },
          [name, args.map(sent)] as const,
        ),
  });

describe("Keys in a worker of a real browser", () => {
  const browser = useBrowser();
  let server: Server;
  let address: string;
  const contexts: BrowserContext[] = [];
  before(async () => {
    const files = new Map([
      ["/page.js", await built("keyringPage.ts", "esm")],
      ["/keyWorker.js", await built("../../../adapters/openpgp/keyWorker.ts", "iife")],
    ]);
    server = createServer((request, response) => {
      const file = files.get(request.url ?? "");
      response.writeHead(200, {
        "content-type": file ? "text/javascript" : "text/html",
        "content-security-policy": policy,
      });
      response.end(
        file ?? `<!doctype html><title>Keys</title><script type="module" src="/page.js"></script>`,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => Promise.all(contexts.splice(0).map((context) => context.close())));
  after(() => server.close());

  const openIn = async (context: BrowserContext): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(address);
    await page.waitForFunction(() => window.keyring !== undefined);
    return page;
  };
  const open = async (): Promise<{ readonly page: Page; readonly context: BrowserContext }> => {
    const context = await browser().newContext();
    contexts.push(context);
    return { page: await openIn(context), context };
  };

  keyringContract(async () => ({
    keyring: keyringIn((await open()).page),
    seal: async (mail, publicKey) =>
      Uint8Array.from(
        await encryptToKey({ content: new TextEncoder().encode(mail), publicKey, boundary: "=_test" }),
      ),
    sealText: async (text, publicKey) => {
      const content = new TextEncoder().encode(text);
      return Buffer.from(await encryptToKey({ content, publicKey, boundary: null })).toString("base64");
    },
  }));

  it("are available after the page was closed, and in other tabs", async () => {
    const { page, context } = await open();
    const created = await keyringIn(page).create("ada@example.org")();
    await page.close();
    const later = await openIn(context);
    const listed = await keyringIn(later).list("ada@example.org")();
    expect(listed).to.deep.equal({ _tag: "Right", right: created._tag === "Right" ? [created.right] : [] });
  });

  it("are deleted in all tabs at once, while another tab has them open", async () => {
    const { page, context } = await open();
    await keyringIn(page).create("ada@example.org")();
    const other = await openIn(context);
    await keyringIn(other).list("ada@example.org")();
    expect(await keyringIn(page).forgetAll()()).to.have.property("_tag", "Right");
    expect(await page.evaluate(async () => (await indexedDB.databases()).length)).to.equal(0);
    expect(await keyringIn(other).list("ada@example.org")()).to.deep.equal({ _tag: "Right", right: [] });
  });

  it("are out of reach, and in a way of its own, where the code of the worker or its client is missing", async () => {
    const { page } = await open();
    await page.route("**/keyWorker.js", (route) => route.fulfill({ status: 404 }));
    const missing = { _tag: "Left", left: "not-loaded" };
    expect(await keyringIn(page).list("ada@example.org")()).to.deep.equal(missing);
    await page.unroute("**/keyWorker.js");
    expect(await keyringIn(page).list("ada@example.org")()).to.deep.equal({ _tag: "Right", right: [] });
    const load = (): Promise<never> => Promise.reject(new Error("the file is gone"));
    expect(await createBrowserKeyring({} as Window, load).list("ada@example.org")()).to.deep.equal(missing);
  });

  it("have a keyring without a `then` member, so that a container can await its creation", () => {
    const load = (): Promise<never> => Promise.reject(new Error("not needed"));
    expect(Reflect.get(createBrowserKeyring({} as Window, load), "then")).to.equal(undefined);
  });

  it("are stored encrypted by a key that no script can read", async () => {
    const { page } = await open();
    await keyringIn(page).create("ada@example.org")();
    const found = await page.evaluate(async () => {
      const opened = indexedDB.open("bauta-keys");
      const database = await new Promise<IDBDatabase>((resolve) => {
        opened.onsuccess = () => resolve(opened.result);
      });
      const all = (store: string): Promise<readonly unknown[]> =>
        new Promise((resolve) => {
          const request = database.transaction(store).objectStore(store).getAll();
          request.onsuccess = () => resolve(request.result);
        });
      const [record] = (await all("keys")) as readonly Record<string, unknown>[];
      const [key] = (await all("sealing")) as readonly CryptoKey[];
      database.close();
      const bytes = new Uint8Array((record?.["sealed"] ?? new ArrayBuffer(0)) as ArrayBuffer);
      return {
        names: Object.keys(record ?? {}),
        sealed: new TextDecoder("latin1").decode(bytes),
        isExtractable: key?.extractable,
        exported:
          key &&
          (await crypto.subtle.exportKey("raw", key).then(
            () => "read",
            () => "refused",
          )),
      };
    });
    expect(found.names).to.have.members([
      "owner",
      "fingerprint",
      "publicKey",
      "since",
      "isBackedUp",
      "iv",
      "sealed",
    ]);
    expect(found.sealed.length).to.be.greaterThan(200);
    expect(found.sealed).not.to.include("Mask owner");
    expect([found.isExtractable, found.exported]).to.deep.equal([false, "refused"]);
  });
});

import { expect } from "chai";

type Handler = (event: Record<string, unknown>) => void;

const shell = { version: "two", main: "main-two.js", files: ["assets/main-two.js", "assets/late-two.js"] };
const page = `<script type="module" src="/assets/${shell.main}"></script>`;

/** What the worker finds in a browser: caches that take their time, and a server of this version. */
const createSurroundings = (path: string) => {
  const handlers = new Map<string, Handler>();
  const stored = new Map<string, Map<string, string>>();
  let isFull = false;
  const open = (name: string) => {
    const files = stored.get(name) ?? new Map<string, string>();
    stored.set(name, files);
    return {
      match: async (path: string) => files.get(path),
      put: async (file: string, response: Response) => {
        const text = await response.text();
        for (let turn = file === path ? 19 : 0; turn < 20; turn += 1) await new Promise(setImmediate);
        if (isFull) throw new DOMException("There is no room", "QuotaExceededError");
        files.set(file, text);
      },
    };
  };
  const globals: Record<string, unknown> = {
    __SHELL__: shell,
    self: {
      addEventListener: (type: string, handler: Handler) => handlers.set(type, handler),
      navigator: {},
      location: { origin: "https://app.example", href: `https://app.example${path}serviceWorker.js` },
    },
    caches: {
      open: async (name: string) => open(name),
      match: async () => undefined,
      keys: async () => [...stored.keys()],
      delete: async (name: string) => stored.delete(name),
    },
    fetch: async (file: string) => new Response(file === path ? page : `text of ${file}`),
  };
  return {
    globals,
    stored,
    fill: () => {
      isFull = true;
    },
    install: async (): Promise<void> => {
      let installed: unknown;
      handlers.get("install")?.({
        waitUntil: (work: unknown) => {
          installed = work;
        },
      });
      await installed;
    },
  };
};

describe("The installation of the service worker", () => {
  let before: PropertyDescriptorMap;
  let around: ReturnType<typeof createSurroundings>;

  const begin = async (path: string): Promise<void> => {
    around = createSurroundings(path);
    before = Object.fromEntries(
      Object.keys(around.globals).map((name) => [
        name,
        Object.getOwnPropertyDescriptor(globalThis, name) ?? { configurable: true, value: undefined },
      ]),
    );
    for (const [name, value] of Object.entries(around.globals))
      Object.defineProperty(globalThis, name, { configurable: true, writable: true, value });
    await import(`../../../web/serviceWorker/worker.ts?${Math.random()}`);
  };
  afterEach(() => Object.defineProperties(globalThis, before));

  it("is over when each file and the page are stored, so that the page opens without a network", async () => {
    await begin("/");
    await around.install();
    expect(Object.fromEntries(around.stored.get("shell-two") ?? [])).to.deep.equal({
      "assets/main-two.js": "text of assets/main-two.js",
      "assets/late-two.js": "text of assets/late-two.js",
      "/": page,
    });
  });

  it("stores under a path what belongs there, beside what another installation on the host has stored", async () => {
    await begin("/bauta/");
    await around.install();
    expect([...around.stored.keys()]).to.deep.equal(["bauta/shell-two"]);
    expect([...(around.stored.get("bauta/shell-two")?.keys() ?? [])]).to.include("/bauta/");
  });

  it("fails and leaves nothing where the browser has no room, so that it is tried again", async () => {
    await begin("/");
    around.fill();
    const failed = await around.install().then(
      () => null,
      (error: unknown) => (error as Error).name,
    );
    expect(failed).to.equal("QuotaExceededError");
    expect([...around.stored.keys()]).to.deep.equal([]);
  });
});

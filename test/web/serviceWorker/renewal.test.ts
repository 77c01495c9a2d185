import { expect } from "chai";
import { keepSubscription } from "../../../web/features/push/subscription.ts";

const key = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
const bytes = (text: string): ArrayBuffer => Uint8Array.from(Buffer.from(text, "base64url")).buffer;

const subscription = (name: string, ended: string[] = []) => {
  const auth = Buffer.from(name.padEnd(16)).toString("base64url");
  return {
    endpoint: `https://push.example/${name}`,
    options: { applicationServerKey: bytes(key) },
    getKey: (of: string) => bytes(of === "auth" ? auth : key),
    unsubscribe: async () => {
      ended.push(name);
      return true;
    },
    auth,
  };
};
type Made = ReturnType<typeof subscription>;
const asSubscription = (one: Made): PushSubscription => one as unknown as PushSubscription;

const before = subscription("before");

/** A browser that has replaced a subscription, and a server that knows the one before, or none. */
const createScope = (answer: () => Response, path = "") => {
  const handlers = new Map<string, (event: object) => void>();
  const stored = new Map<string, Map<string, Response>>();
  const ended: string[] = [];
  const sent: unknown[] = [];
  const subscribed: unknown[] = [];
  let current: Made | null = null;
  const caches = {
    open: async (name: string) => {
      const files = stored.get(name) ?? new Map<string, Response>();
      stored.set(name, files);
      return {
        match: async (path: string) => files.get(path)?.clone(),
        put: async (path: string, response: Response) => void files.set(path, response),
      };
    },
    delete: async (name: string) => stored.delete(name),
  } as unknown as CacheStorage;
  const globals: Record<string, unknown> = {
    __SHELL__: { version: "two", main: "main.js", files: [] },
    caches,
    fetch: async (url: string, { method, credentials, body }: RequestInit) => {
      sent.push({ url, method, credentials, body: JSON.parse(String(body)) as unknown });
      return answer();
    },
    self: {
      addEventListener: (type: string, handler: (event: object) => void) => handlers.set(type, handler),
      navigator: {},
      location: { origin: "https://app.example", href: `https://app.example${path}/serviceWorker.js` },
      registration: {
        pushManager: {
          getSubscription: async () => current,
          subscribe: async (options: unknown) => {
            subscribed.push(options);
            current = subscription("after", ended);
            return current;
          },
        },
      },
    },
  };
  return {
    path,
    globals,
    caches,
    ended,
    sent,
    subscribed,
    kept: async () =>
      (await stored.get(`push${path}`)?.get("/push/subscription")?.clone().json()) as
        | { endpoint: string }
        | undefined,
    makeAnew: () => {
      current = subscription("after", ended);
    },
    change: async (event: { readonly oldSubscription?: PushSubscription | null }): Promise<void> => {
      let done: unknown;
      const waitUntil = (work: unknown): void => {
        done = work;
      };
      handlers.get("pushsubscriptionchange")?.({ ...event, waitUntil });
      await done;
    },
  };
};

for (const path of ["", "/bauta"])
  describe(`A subscription that the browser replaces${path && ", of an app under a path"}`, () => {
    let properties: PropertyDescriptorMap = {};
    let answer: () => Response;
    let scope: ReturnType<typeof createScope>;

    beforeEach(async () => {
      answer = () => Response.json({});
      scope = createScope(() => answer(), path);
      properties = Object.fromEntries(
        Object.keys(scope.globals).map((name) => [
          name,
          Object.getOwnPropertyDescriptor(globalThis, name) ?? { configurable: true, value: undefined },
        ]),
      );
      for (const [name, value] of Object.entries(scope.globals))
        Object.defineProperty(globalThis, name, { configurable: true, writable: true, value });
      await import(`../../../web/serviceWorker/worker.ts?${Math.random()}`);
    });
    afterEach(() => Object.defineProperties(globalThis, properties));

    const told = {
      url: `${path}/push/subscription`,
      method: "PUT",
      credentials: "omit",
      body: {
        endpoint: "https://push.example/after",
        p256dh: key,
        auth: subscription("after").auth,
        former: { endpoint: before.endpoint, auth: before.auth },
      },
    };

    it("is told to the server with what proves the former one, and kept for the next time", async () => {
      scope.makeAnew();
      await scope.change({ oldSubscription: asSubscription(before) });
      expect(scope.sent).to.deep.equal([told]);
      expect(scope.subscribed).to.deep.equal([]);
      expect(await scope.kept()).to.have.property("endpoint", told.body.endpoint);
    });

    it("is made anew for the same server where the browser has ended it and does not say which it was", async () => {
      await keepSubscription(scope, asSubscription(before));
      await scope.change({});
      expect(scope.subscribed).to.deep.equal([{ userVisibleOnly: true, applicationServerKey: key }]);
      expect(scope.sent).to.deep.equal([told]);
    });

    it("is tried again by the app where the server is away", async () => {
      await keepSubscription(scope, asSubscription(before));
      for (const failing of [
        () => Response.json({}, { status: 503 }),
        () => {
          throw new TypeError("Failed to fetch");
        },
      ]) {
        answer = failing;
        await scope.change({ oldSubscription: null });
      }
      expect(scope.ended).to.deep.equal([]);
      expect(await scope.kept()).to.have.property("endpoint", before.endpoint);
    });

    it("ends where the server has no such device", async () => {
      answer = () => Response.json({ message: "gone" }, { status: 404 });
      scope.makeAnew();
      await scope.change({ oldSubscription: asSubscription(before) });
      expect(scope.ended).to.deep.equal(["after"]);
      expect(await scope.kept()).to.equal(undefined);
    });
  });

import { expect } from "chai";
import { registerWorker } from "../../../../web/app/offline/registerWorker.ts";

describe("The registration of the service worker", () => {
  it("succeeds in a second attempt, in a page that allows each policy once", async () => {
    const policies: string[] = [];
    const registered: unknown[] = [];
    const page = {
      document: Object.assign(new EventTarget(), { querySelector: () => ({ content: "/bauta" }) }),
      trustedTypes: {
        createPolicy: (name: string, { createScriptURL }: { createScriptURL: () => string }) => {
          if (policies.includes(name)) throw new TypeError(`a policy named ${name} exists`);
          policies.push(name);
          return { createScriptURL };
        },
      },
      navigator: {
        serviceWorker: {
          register: async (url: unknown) => {
            registered.push(url);
            if (registered.length === 1) throw new Error("the script did not start in time");
            return Object.assign(new EventTarget(), { waiting: null });
          },
        },
      },
    } as unknown as Window;
    const register = (): Promise<string> =>
      registerWorker(page, () => undefined).then(
        () => "registered",
        (error: Error) => error.message,
      );
    expect([await register(), await register()]).to.deep.equal([
      "the script did not start in time",
      "registered",
    ]);
    expect(registered).to.deep.equal(Array(2).fill("/bauta/serviceWorker.js"));
  });
});

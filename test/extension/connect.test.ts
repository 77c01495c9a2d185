import "../support/dom.ts";
import { expect } from "chai";
import { spy } from "sinon";
import { settled } from "../fakes/virtualClock.ts";
import { useDom } from "../support/jsdom.ts";

const code = "0123456789abcdef".repeat(2);

describe("The script of the extension in the page of a server", () => {
  useDom();
  const world = globalThis as { chrome?: unknown };
  const listeners: ((message: unknown, sender: object) => void)[] = [];
  let answer: unknown;
  afterEach(() => Reflect.deleteProperty(world, "chrome"));

  it("gives the token once, however often the user has pressed “Connect”, and says it when nothing answers", async () => {
    const sent: unknown[] = [];
    const onMessage = {
      addListener: (listener: (typeof listeners)[number]) => void listeners.push(listener),
    };
    const sendMessage = async (message: unknown) => {
      sent.push(message);
      return answer;
    };
    world.chrome = { runtime: { id: "own", onMessage, sendMessage } };
    for (const press of ["first", "second"]) {
      const script = `../../extension/connection/connect.ts?${press}`;
      await import(script);
    }
    const posted = spy(window, "postMessage");
    try {
      for (const listener of listeners)
        listener({ kind: "handover", code, until: Date.now() + 60_000 }, { id: "own" });
      const give = document.createEvent("Event");
      give.initEvent("message", false);
      const data = { bauta: "connect", step: "give", code, token: "bauta_t", path: "/bauta" };
      window.dispatchEvent(Object.assign(give, { data, source: window, origin: window.location.origin }));
      await settled();
      expect(sent).to.deep.equal([{ kind: "token", code, token: "bauta_t", path: "/bauta" }]);
      const [done] = posted.args.at(-1) ?? [];
      expect(done).to.deep.equal({
        bauta: "connect",
        step: "done",
        code,
        problem: "The extension did not answer. Reload this page and try again.",
      });
    } finally {
      posted.restore();
    }
  });
});

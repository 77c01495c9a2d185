import { expect } from "chai";
import { contentApi } from "../../extension/content/contentApi.ts";

describe("The browser as a script in a page sees it", () => {
  const world = globalThis as { chrome?: unknown; browser?: unknown };
  const give = (sendMessage: (message: unknown) => unknown): void => {
    world.chrome = { runtime: { id: "own", sendMessage, onMessage: { addListener: () => {} } } };
  };
  afterEach(() => {
    Reflect.deleteProperty(world, "chrome");
    Reflect.deleteProperty(world, "browser");
  });

  it("is no element of the page that has its name", async () => {
    give(async () => "answer");
    const names = Object.getPrototypeOf(globalThis) as object;
    Object.defineProperty(names, "browser", { configurable: true, value: { runtime: { id: "runtime" } } });
    try {
      expect(await contentApi().sendMessage({})).to.equal("answer");
    } finally {
      Reflect.deleteProperty(names, "browser");
    }
  });

  it("refuses by a promise where the browser throws, as it does after an update of the extension", async () => {
    give(() => {
      throw new Error("Extension context invalidated.");
    });
    const answer = contentApi()
      .sendMessage({})
      .then(
        () => "answered",
        () => "refused",
      );
    expect(await answer).to.equal("refused");
  });
});

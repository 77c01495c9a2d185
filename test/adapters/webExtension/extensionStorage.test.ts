import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import { createMemoryStorage } from "../../../adapters/system/portsWithoutWindow.ts";
import { keepFromPages, loadExtensionStorage } from "../../../adapters/webExtension/extensionStorage.ts";
import type { KeyValueStorage } from "../../../core/ports/storage.ts";
import { storageContract } from "../../contracts/storageContract.ts";
import { createFakeStorageArea, type FakeStorageArea } from "../../fakes/fakeStorageArea.ts";

describe("The extension's storage", () => {
  let area: FakeStorageArea;
  let local: KeyValueStorage;
  beforeEach(async () => {
    area = createFakeStorageArea();
    local = await loadExtensionStorage(area);
  });

  storageContract(() => ({
    storage: { local, tab: createMemoryStorage() },
    elsewhere: area.changeElsewhere,
    fill: () => local.write("filler", "x".repeat(3_950_000)),
  }));

  it("has what was stored before, and leaves alone what is no text", async () => {
    const before = createFakeStorageArea({ theme: "dark", badge: 3 });
    const storage = await loadExtensionStorage(before);
    expect(storage.keys()).to.deep.equal(["theme"]);
    storage.write("theme", "light");
    await nextTurn();
    expect(await before.get(null)).to.deep.equal({ theme: "light", badge: 3 });
  });

  it("keeps the last of several writes, whatever the browser reports of the first ones", async () => {
    local.write("a", "one");
    local.write("a", "two");
    local.remove("a");
    local.write("a", "three");
    const seen: unknown[] = [];
    const watching = local.changes$.subscribe((change) => seen.push(change));
    await nextTurn();
    watching.unsubscribe();
    expect([local.read("a"), await area.get("a"), seen]).to.deep.equal(["three", { a: "three" }, []]);
  });

  it("is kept from the scripts in web pages where the browser can do that", async () => {
    const levels: unknown[] = [];
    await keepFromPages({ ...area, setAccessLevel: async (level) => void levels.push(level) });
    await keepFromPages(area);
    expect(levels).to.deep.equal([{ accessLevel: "TRUSTED_CONTEXTS" }]);
  });

  it("goes on with what it knows where the browser keeps nothing, and hears of later changes", async () => {
    area.refuseWrites();
    local.write("a", "mine");
    await nextTurn();
    expect(local.read("a")).to.equal("mine");
    area.changeElsewhere("a", "theirs");
    expect(local.read("a")).to.equal("theirs");
  });
});

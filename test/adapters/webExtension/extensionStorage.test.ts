import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import { createMemoryStorage } from "../../../adapters/system/portsWithoutWindow.ts";
import {
  keepFromPages,
  loadExtensionStorage,
  type StorageArea,
} from "../../../adapters/webExtension/extensionStorage.ts";
import type { KeyValueStorage } from "../../../core/ports/storage.ts";
import { storageContract } from "../../contracts/storageContract.ts";
import { createFakeStorageArea, type FakeStorageArea } from "../../fakes/fakeStorageArea.ts";

/** A storage that answers and reports only when it is told to. */
const createSlowArea = () => {
  const whole = createFakeStorageArea();
  const refusals: ((reason: Error) => void)[] = [];
  const area: StorageArea = {
    ...whole,
    set: () => new Promise((_, refuse) => void refusals.push(refuse)),
  };
  return {
    area,
    report: whole.changeElsewhere,
    refuse: () => {
      for (const refuse of refusals) refuse(new Error("QUOTA_BYTES quota exceeded"));
    },
  };
};

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

  it("ends with what the browser has, when another context writes between an own change and its report", async () => {
    const { area: slow, report } = createSlowArea();
    const mine = await loadExtensionStorage(slow);
    mine.write("a", "mine");
    report("a", "theirs");
    expect(mine.read("a")).to.equal("mine");
    report("a", "mine");
    expect(mine.read("a")).to.equal("mine");
    mine.write("a", "later");
    report("a", "later");
    report("a", "theirs again");
    expect(mine.read("a")).to.equal("theirs again");
  });

  it("takes what another context has stored when the browser refuses an own change", async () => {
    const { area: slow, report, refuse } = createSlowArea();
    const mine = await loadExtensionStorage(slow);
    mine.write("a", "mine");
    report("a", "theirs");
    refuse();
    expect(await mine.isStored()).to.equal(false);
    expect(mine.read("a")).to.equal("theirs");
  });

  it("says whether the last change is stored", async () => {
    const storage = await loadExtensionStorage(area);
    storage.write("a", "kept");
    expect(await storage.isStored()).to.equal(true);
    area.refuseWrites();
    storage.write("a", "lost");
    expect(await storage.isStored()).to.equal(false);
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

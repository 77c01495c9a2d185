import { expect } from "chai";
import { createKeptScreen, type Screen } from "../../../core/masks/keptScreen.ts";
import { createStore } from "../../../core/storage/store.ts";
import { removedAtExpiry, removedAtLogout, storedKeys } from "../../../core/storage/storedKeys.ts";
import { createMemoryStorage } from "../../fakes/memoryStorage.ts";

const screen: Screen = {
  nodes: [["main", { class: "a" }, ["Shopping"]]],
  height: 800,
  pageHeight: 1_500,
  theme: "dark",
  isNarrow: false,
  styles: "/assets/styles-1.css",
};

describe("The screen that is kept for the next visit", () => {
  const keepFor = (owner: string | null, list: string | null): unknown => {
    const storage = createMemoryStorage();
    if (list !== null) storage.local.write("cached_masks", list);
    createKeptScreen({ store: createStore(storage), owner: () => owner })(screen);
    return JSON.parse(storage.local.read("keptScreen") ?? "null");
  };

  it("names its owner and the stored list that it shows", () => {
    const list = `{"owner":"ada@example.org","savedAt":1,"value":[${"0,".repeat(500)}0]}`;
    expect(keepFor("ada@example.org", list)).to.deep.equal({
      ...screen,
      owner: "ada@example.org",
      list: list.slice(0, 400),
    });
  });

  it("is not stored without a stored list, nor when nobody is signed in", () => {
    expect(keepFor("ada@example.org", null)).to.equal(null);
    expect(keepFor(null, "{}")).to.equal(null);
  });

  it("is removed when the session ends", () => {
    expect(removedAtLogout).to.include(storedKeys.keptScreen);
    expect(removedAtExpiry).to.include(storedKeys.keptScreen);
  });
});

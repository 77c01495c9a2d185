import { expect } from "chai";
import type { Storage } from "../../core/ports/storage.ts";

export interface StorageSubject {
  readonly storage: Storage;
  /** Writes (a value) or removes (null) this key of the shared place, as another tab does. */
  readonly elsewhere: (key: string, value: string | null) => void;
  /** Fills the shared place up to its quota. */
  readonly fill: () => void;
}

/** The tests that every storage must pass. */
export const storageContract = (make: () => StorageSubject): void => {
  for (const place of ["local", "tab"] as const) {
    it(`stores any text in its ${place} place until it is removed`, () => {
      const { [place]: kept } = make().storage;
      expect(kept.read("a")).to.equal(null);
      for (const text of ["", "plain", "null", "ünï\u0000🎭", '{"a":1}']) {
        expect(kept.write("a", text)).to.equal(true);
        expect(kept.read("a")).to.equal(text);
      }
      kept.write("b", "other");
      expect([...kept.keys()].sort()).to.deep.equal(["a", "b"]);
      kept.remove("a");
      kept.remove("never there");
      expect(kept.read("a")).to.equal(null);
      expect(kept.keys()).to.deep.equal(["b"]);
    });
  }

  it("separates its two places", () => {
    const { storage } = make();
    storage.local.write("a", "shared");
    expect(storage.tab.read("a")).to.equal(null);
  });

  it("reports changes made elsewhere and not its own", () => {
    const { storage, elsewhere } = make();
    const seen: unknown[] = [];
    const watching = storage.local.changes$.subscribe((change) => seen.push(change));
    storage.local.write("a", "mine");
    elsewhere("a", "theirs");
    elsewhere("a", null);
    watching.unsubscribe();
    elsewhere("a", "unheard");
    expect(seen).to.deep.equal([
      { key: "a", value: "theirs" },
      { key: "a", value: null },
    ]);
  });

  it("reports when a value exceeds the quota, and keeps the old one", () => {
    const { storage, fill } = make();
    storage.local.write("a", "small");
    fill();
    expect(storage.local.write("a", "x".repeat(100_000))).to.equal(false);
    expect(storage.local.read("a")).to.equal("small");
  });
};

import { expect } from "chai";
import type { KeptScreen } from "../../../core/masks/keptScreen.ts";
import { showKeptScreen } from "../../../web/loading/keptScreen.ts";
import { useDom } from "../../support/jsdom.ts";

const list = '{"owner":"ada@example.org","savedAt":7,"value":[';
const kept: KeptScreen = {
  owner: "ada@example.org",
  list,
  theme: "dark",
  isNarrow: false,
  styles: "/styles.css",
  height: 10_000,
  pageHeight: 12_000,
  nodes: [
    [
      "main",
      {},
      [
        ["button", { style: "color: red;" }, ["Shopping"]],
        ["svg", { viewBox: "0 0 1 1" }, []],
      ],
    ],
  ],
};

const page = '<link rel="stylesheet" href="/styles.css"><div id="page"></div>';

/** How often the rest of the page began to load. */
let loads = 0;

/** Opens the page in a browser with this storage; returns what it shows before the app runs. */
const open = async (stored: Readonly<Record<string, string>>, theme = "dark"): Promise<string> => {
  const storage: Readonly<Record<string, string>> = {
    userEmail: "ada@example.org",
    cached_masks: `${list}]}`,
    keptScreen: JSON.stringify(kept),
    ...stored,
  };
  showKeptScreen(window, { theme, read: (name) => storage[name] ?? null }, () => {
    loads += 1;
  });
  document.body.innerHTML = page;
  await Promise.resolve();
  return document.getElementById("page")?.innerHTML ?? "";
};

const keptWith = (change: Partial<KeptScreen>): { readonly keptScreen: string } => ({
  keptScreen: JSON.stringify({ ...kept, ...change }),
});

describe("The screen of the last visit, before the app runs", () => {
  useDom();
  beforeEach(() => {
    window.history.replaceState(null, "", "/");
    loads = 0;
  });
  afterEach(() => {
    document.body.innerHTML = "";
    window.keptScreen = undefined;
  });

  it("is shown to its owner, for the eyes only, until it is painted", async () => {
    expect(await open({})).to.equal(
      '<div inert="" aria-hidden="true" style="min-height: 12000px;"><main><button style="color: red;">Shopping</button><svg viewBox="0 0 1 1"></svg></main></div>',
    );
    expect(document.querySelector("svg")?.namespaceURI).to.equal("http://www.w3.org/2000/svg");
    expect(loads, "the rest waits for it").to.equal(0);
    await window.keptScreen;
    expect(loads).to.equal(1);
  });

  it("delays nothing where it is not shown", async () => {
    await open({ userEmail: "bob@example.org" });
    expect(loads).to.equal(1);
    await open(keptWith({ styles: "/older.css" }));
    expect(loads).to.equal(2);
  });

  it("is not shown to another user, nor when the stored list is another one or gone", async () => {
    expect(await open({ userEmail: "bob@example.org" })).to.equal("");
    expect(await open({ cached_masks: list.replace("7", "8") })).to.equal("");
    expect(await open({ cached_masks: "" })).to.equal("");
    expect(window.keptScreen).to.equal(undefined);
  });

  it("is not shown in another theme, width, version or window than it was kept in", async () => {
    expect(await open({}, "light")).to.equal("");
    expect(await open(keptWith({ isNarrow: true }))).to.equal("");
    expect(await open(keptWith({ styles: "/older.css" }))).to.equal("");
    expect(await open(keptWith({ height: 10 }))).to.equal("");
  });

  it("is not shown where the address names something else than the list", async () => {
    window.history.replaceState(null, "", "/#masks");
    expect(await open({})).to.include("Shopping");
    for (const address of ["/#rules", "/#masks?search=shop", "/#masks/new", "/login", "/operator"]) {
      window.history.replaceState(null, "", address);
      expect(await open({}), address).to.equal("");
    }
  });

  it("is not shown when none is stored, or none that can be read", async () => {
    expect(await open({ keptScreen: "" })).to.equal("");
    expect(await open({ keptScreen: "{" })).to.equal("");
    expect(await open({ keptScreen: "null" })).to.equal("");
  });
});

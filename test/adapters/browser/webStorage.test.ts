import { expect } from "chai";
import { createWebStorage } from "../../../adapters/browser/webStorage.ts";
import { storageContract } from "../../contracts/storageContract.ts";
import { openWindow } from "./browserWindow.ts";

describe("The browser's storage", () => {
  storageContract(() => {
    const { window, storageEvent } = openWindow();
    return {
      storage: createWebStorage(window),
      elsewhere: storageEvent,
      fill: () => window.localStorage.setItem("filler", "x".repeat(40_000)),
    };
  });

  it("reports clearing by another tab, key by key, for the keys it has used", () => {
    const { window, storageEvent } = openWindow();
    const { local } = createWebStorage(window);
    const seen: unknown[] = [];
    local.changes$.subscribe((change) => seen.push(change));
    local.read("authToken");
    local.write("theme", "dark");
    storageEvent(null, null);
    expect(seen).to.deep.equal([
      { key: "authToken", value: null },
      { key: "theme", value: null },
    ]);
  });

  it("shares nothing with another installation on the host", () => {
    const { window, storageEvent } = openWindow();
    const [own, other] = [createWebStorage(window, "/bauta").local, createWebStorage(window).local];
    own.write("theme", "dark");
    expect([own.read("theme"), other.read("theme"), own.keys()]).to.deep.equal(["dark", null, ["theme"]]);
    const seen: unknown[] = [];
    own.changes$.subscribe((change) => seen.push(change));
    storageEvent("theme", "light");
    storageEvent("theme/bauta", "light");
    expect(seen).to.deep.equal([{ key: "theme", value: "light" }]);
    own.remove("theme");
    expect(own.keys()).to.deep.equal([]);
  });

  it("reads as empty and rejects writes where the browser blocks it", () => {
    const blocked = new Proxy(openWindow().window, {
      get: (window, name) => {
        if (name === "localStorage" || name === "sessionStorage") throw new Error("SecurityError");
        return Reflect.get(window, name) as unknown;
      },
    });
    const { local, tab } = createWebStorage(blocked);
    expect([local.read("a"), local.write("a", "b"), local.keys(), tab.read("a")]).to.deep.equal([
      null,
      false,
      [],
      null,
    ]);
    local.remove("a");
  });
});

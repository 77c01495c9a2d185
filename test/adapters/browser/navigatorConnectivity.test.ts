import { expect } from "chai";
import { createNavigatorConnectivity } from "../../../adapters/browser/navigatorConnectivity.ts";
import { openWindow } from "./browserWindow.ts";

describe("The network state of the browser", () => {
  it("is online or offline, and reports changes", () => {
    const { window, setOnline, dispatch } = openWindow();
    const { online$ } = createNavigatorConnectivity(window);
    const seen: boolean[] = [];
    online$.subscribe((online) => seen.push(online));
    setOnline(false);
    expect(online$.value).to.equal(false);
    dispatch("offline");
    setOnline(true);
    expect(seen).to.deep.equal([true, false, true]);
  });
});

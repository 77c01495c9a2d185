import "../support/dom.ts";
import { act, render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect } from "chai";
import { registerContentScripts } from "../../extension/background/contentScripts.ts";
import type { ExtensionApi, RegisteredScript } from "../../extension/extensionApi.ts";
import { Sites } from "../../extension/options/Sites.tsx";
import { settled } from "../fakes/virtualClock.ts";
import { useDom } from "../support/jsdom.ts";

/** A browser that gives and takes access to sites, and keeps the scripts that are registered for them. */
const createBrowser = (initial: readonly string[]) => {
  let origins = initial;
  let scripts: readonly RegisteredScript[] = [];
  const listeners = new Set<() => void>();
  const change = async (next: readonly string[]): Promise<boolean> => {
    origins = next;
    for (const listener of listeners) listener();
    return true;
  };
  const event = {
    addListener: (listener: () => void) => void listeners.add(listener),
    removeListener: (listener: () => void) => void listeners.delete(listener),
  };
  const api: Pick<ExtensionApi, "permissions" | "scripting"> = {
    permissions: {
      getAll: async () => ({ origins }),
      request: ({ origins: more }) => change([...origins, ...more]),
      remove: ({ origins: less }) => change(origins.filter((one) => !less.includes(one))),
      contains: async () => true,
      onAdded: event,
      onRemoved: event,
    },
    scripting: {
      executeScript: async () => undefined,
      getRegisteredContentScripts: async ({ ids }) => scripts.filter(({ id }) => ids.includes(id)),
      updateContentScripts: async (changed) => {
        scripts = scripts.map((script) => changed.find(({ id }) => id === script.id) ?? script);
      },
      unregisterContentScripts: async ({ ids }) => {
        scripts = scripts.filter(({ id }) => !ids.includes(id));
      },
      registerContentScripts: async (more) => {
        if (more.some(({ id }) => scripts.some((one) => one.id === id)))
          throw new Error("a script of this id");
        scripts = [...scripts, ...more];
      },
    },
  };
  return { api, origins: () => origins, scripts: () => scripts };
};

describe("The access to sites", () => {
  useDom();

  const open = async (initial: readonly string[]) => {
    const browser = createBrowser(initial);
    render(<Sites permissions={browser.api.permissions} initial={{ origins: initial }} />);
    const user = userEvent.setup({ delay: null });
    return {
      ...browser,
      press: async (name: string) => {
        await user.click(screen.getByRole("button", { name }));
        await act(async () => settled());
      },
    };
  };

  it("is taken back for one site", async () => {
    const { press, origins } = await open([
      "https://shop.example/*",
      "https://*.shop.example/*",
      "https://bank.example/*",
    ]);
    const list = screen.getByRole("list", { name: "Sites with the button" });
    expect(within(list).getAllByRole("listitem")).to.have.lengthOf(2);
    await press("Remove shop.example");
    expect(origins()).to.deep.equal(["https://bank.example/*"]);
    expect(within(list).getAllByRole("listitem")).to.have.lengthOf(1);
  });

  it("is given for all sites, and taken back", async () => {
    const { press, origins } = await open([]);
    await press("Allow on all sites");
    expect(origins()).to.deep.equal(["https://*/*", "http://*/*"]);
    expect(screen.getByText("The button stands on all sites.")).to.not.equal(null);
    await press("Remove from all sites");
    expect(origins()).to.deep.equal([]);
  });

  it("decides in which pages the script of the extension runs by itself", async () => {
    const { api, scripts } = createBrowser([]);
    await registerContentScripts(api);
    expect(scripts()).to.deep.equal([]);
    for (const origins of [
      ["https://shop.example/*"],
      ["https://shop.example/*", "https://bank.example/*"],
    ]) {
      await api.permissions.request({ origins });
      await registerContentScripts(api);
      await api.permissions.remove({ origins });
      expect(scripts().map(({ matches, js }) => [matches, js])).to.deep.equal([[origins, ["content.js"]]]);
    }
    await registerContentScripts(api);
    expect(scripts()).to.deep.equal([]);
  });
});

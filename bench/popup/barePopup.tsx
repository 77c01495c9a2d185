// A popup of React alone: it reads the storage and the tab, as every popup does, and shows a tree that was stored there.
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { type Node, toReact } from "../page/prototypeTree.ts";

interface Browser {
  readonly storage: { readonly local: { get: (keys: null) => Promise<{ readonly tree?: Node }> } };
  readonly tabs: { query: (filter: object) => Promise<unknown> };
}

const { chrome } = globalThis as unknown as { readonly chrome: Browser };
const root = createRoot(document.getElementById("page") ?? document.body);
const [{ tree }] = await Promise.all([chrome.storage.local.get(null), chrome.tabs.query({})]);
if (tree !== undefined) root.render(createElement(() => toReact(tree, 0)));

import { createElement, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import { BehaviorSubject } from "rxjs";
import { type Node, toReact } from "./prototypeTree.ts";

const nodes$ = new BehaviorSubject<Node | null>(null);
const subscribe = (changed: () => void): (() => void) => {
  const subscription = nodes$.subscribe(changed);
  return () => subscription.unsubscribe();
};

const Page = () => {
  const node = useSyncExternalStore(subscribe, () => nodes$.value);
  return node === null ? null : toReact(node, 0);
};

createRoot(document.getElementById("page") ?? document.body).render(createElement(Page));
const [masks, page] = await Promise.all(
  ["/masks", "/page.json"].map(async (path) => (await fetch(path)).json()),
);
if (Array.isArray(masks.masks)) nodes$.next(page);

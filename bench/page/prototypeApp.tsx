import { createElement, type ReactNode, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import { BehaviorSubject } from "rxjs";

/** An element of the page as text, attributes and children. */
export type Node =
  | string
  | {
      readonly tag: string;
      readonly props: Readonly<Record<string, string>>;
      readonly children: readonly Node[];
    };

const nodes$ = new BehaviorSubject<Node | null>(null);
const subscribe = (changed: () => void): (() => void) => {
  const subscription = nodes$.subscribe(changed);
  return () => subscription.unsubscribe();
};

const toReact = (node: Node, key: number): ReactNode =>
  typeof node === "string"
    ? node
    : createElement(node.tag, { ...node.props, key }, ...node.children.map(toReact));

const Page = () => {
  const node = useSyncExternalStore(subscribe, () => nodes$.value);
  return node === null ? null : toReact(node, 0);
};

createRoot(document.getElementById("page") ?? document.body).render(createElement(Page));
const [masks, page] = await Promise.all(
  ["/masks", "/page.json"].map(async (path) => (await fetch(path)).json()),
);
if (Array.isArray(masks.masks)) nodes$.next(page);

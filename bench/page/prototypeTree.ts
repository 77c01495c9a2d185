import type { Page } from "playwright-core";
import { createElement, type ReactNode } from "react";

/** An element of the page as text, attributes and children. */
export type Node =
  | string
  | {
      readonly tag: string;
      readonly props: Readonly<Record<string, string>>;
      readonly children: readonly Node[];
    };

/** Reads what a page shows as a tree that a prototype renders. */
export const readTree = (page: Page): Promise<Node> =>
  page.evaluate(() => {
    const leftOut = new Set(["style", "value", "checked", "tabindex", "autofocus"]);
    const renamed = new Map([
      ["class", "className"],
      ["for", "htmlFor"],
    ]);
    const read = (element: Element): Node => ({
      tag: element.tagName.toLowerCase(),
      props: Object.fromEntries(
        [...element.attributes]
          .filter(({ name }) => !leftOut.has(name))
          .map(({ name, value }) => [renamed.get(name) ?? name, value]),
      ),
      children: [...element.childNodes].flatMap((child): Node[] =>
        child instanceof Element ? [read(child)] : child.textContent ? [child.textContent] : [],
      ),
    });
    return read(document.querySelector("#page > *") ?? document.body);
  });

/** Renders a tree by React. */
export const toReact = (node: Node, key: number): ReactNode =>
  typeof node === "string"
    ? node
    : createElement(node.tag, { ...node.props, key }, ...node.children.map(toReact));

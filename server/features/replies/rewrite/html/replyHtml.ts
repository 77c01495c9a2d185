import { findDefaultSignatures } from "../defaultSignatures.ts";
import { type Piece, replaceInRun } from "../replaceInRun.ts";
import { type LinkContext, unwrapLinks } from "../replyLinks.ts";
import { type ElementNode, type HtmlNode, layoutOf, type TextNode } from "./htmlNodes.ts";
import { readTree } from "./htmlTree.ts";

interface Run {
  readonly lines: Piece[][];
  /** The pictures of each line. */
  readonly pictures: ElementNode[][];
}

/** Collects the texts that a reader sees as one: those of inline elements, up to the next block or cell. */
const collectRuns = (root: ElementNode): readonly Run[] => {
  const runs: Run[] = [];
  let run: Run = { lines: [[]], pictures: [[]] };
  const endRun = (): void => {
    if (run.lines.length > 1 || (run.lines[0] ?? []).length > 0) runs.push(run);
    run = { lines: [[]], pictures: [[]] };
  };
  const addText = (node: TextNode): void => {
    run.lines.at(-1)?.push({
      text: node.text,
      write: (text) => {
        node.text = text;
      },
    });
    if (!node.isBreak) return;
    run.lines.push([]);
    run.pictures.push([]);
  };
  const visit = (node: HtmlNode): void => {
    if (node.kind === "text") addText(node);
    else if (node.name === "img") run.pictures.at(-1)?.push(node);
    else if (!node.isDropped) {
      const isInline = layoutOf(node.name) === "inline";
      if (!isInline) endRun();
      node.children.forEach(visit);
      if (!isInline) endRun();
    }
  };
  visit(root);
  endRun();
  return runs;
};

const textOf = (run: Run): string =>
  run.lines
    .flat()
    .map(({ text }) => text)
    .join("");

/** Removes the default signatures, and the separator in the block before. */
const removeSignatures = (runs: readonly Run[]): readonly Run[] =>
  runs.map((run, n) => {
    const { lines, pictures } = run;
    const signatures = findDefaultSignatures(lines.map((line) => line.map(({ text }) => text).join("")));
    if (signatures.size === 0) return run;
    const before = runs[n - 1];
    const separator =
      signatures.has(0) && before && textOf(before).trim() === "--" ? before.lines.flat() : [];
    for (const piece of [...separator, ...lines.filter((_line, at) => signatures.has(at)).flat()])
      piece.write("");
    for (const picture of pictures.filter((_some, at) => signatures.has(at)).flat()) picture.isDropped = true;
    return { lines: lines.filter((_line, at) => !signatures.has(at)), pictures: [] };
  });

const escapeText = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\u00a0", "&nbsp;");

const escapeValue = (text: string): string => escapeText(text).replaceAll('"', "&quot;");

const writeImage = ({ attributes }: ElementNode, tag: string): string =>
  attributes.some(([name]) => name === "src")
    ? tag
    : escapeText(attributes.find(([name]) => name === "alt")?.[1] ?? "");

/** Elements that are shown although they are empty. */
const isShownEmpty = (name: string): boolean =>
  ["cell", "row", "row group", "void"].includes(layoutOf(name)) || name === "li" || name === "body";

const writeNode = (node: HtmlNode, isPre: boolean): string => {
  if (node.kind === "text") {
    const text = escapeText(node.text);
    return isPre ? text : text.replaceAll("\n", "<br>");
  }
  if (node.isDropped) return "";
  const { name, attributes } = node;
  const tag = `<${[name, ...attributes.map(([key, value]) => `${key}="${escapeValue(value)}"`)].join(" ")}>`;
  if (name === "img") return writeImage(node, tag);
  if (layoutOf(name) === "void") return tag;
  const contents = node.children.map((child) => writeNode(child, node.isPre)).join("");
  const isInline = layoutOf(name) === "inline";
  if (contents === "" && !isShownEmpty(name) && (isInline || attributes.length === 0)) return "";
  if (attributes.length === 0 && /^(?:span|font|a)$/.test(name)) return contents;
  return `${tag}${contents}</${name}>`;
};

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|\bdir\s?=\s?["']?rtl/i;

/**
 * Writes HTML anew for others, in linear time and at most a few times as long: only elements, attributes and styles
 * that show the text remain, so that neither the author's mail program nor account can be recognized. `replace` gets
 * decoded text as a reader sees it, up to the next block; `renameId` the ids of parts and mails in links (RFC 2392).
 */
export const rewriteHtml = (html: string, context: LinkContext): string => {
  const { replace } = context;
  const root = readTree(html, {
    ...context,
    rules: new Map(),
    budget: html.length + 16_384,
    isBidirectional: rightToLeft.test(html),
  });
  for (const { lines } of removeSignatures(collectRuns(root)))
    replaceInRun(lines, (text) => replace(unwrapLinks(text)));
  return `<!DOCTYPE html>\n<html><head><meta charset="utf-8"></head>${writeNode(root, false)}</html>\n`;
};

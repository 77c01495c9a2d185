import { toSearchText } from "../../../../core/kernel/searchText.ts";
import { shownMatches } from "../../../../core/masks/maskSearch.ts";

/** A place in the text of a page. */
interface Place {
  readonly node: Text;
  readonly offset: number;
}

/** The text of an element as a search compares it, with the place of each of its characters. */
const readText = (element: Element): { readonly text: string; readonly places: readonly Place[] } => {
  const places: Place[] = [];
  let text = "";
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    let offset = 0;
    for (const character of (node as Text).data) {
      const folded = toSearchText(character);
      for (const _ of folded) places.push({ node: node as Text, offset });
      text += folded;
      offset += character.length;
    }
  }
  return { text, places };
};

const rangesIn = (element: Element, searched: readonly string[]): readonly Range[] => {
  const { text, places } = readText(element);
  return searched.flatMap((value) => {
    const ranges: Range[] = [];
    for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
      const first = places[at];
      const last = places[at + value.length - 1];
      if (first === undefined || last === undefined) break;
      const range = document.createRange();
      range.setStart(first.node, first.offset);
      const end = [...last.node.data.slice(last.offset)][0]?.length ?? 0;
      range.setEnd(last.node, last.offset + end);
      ranges.push(range);
    }
    return ranges;
  });
};

/** The elements whose text is searched as one: an address is cut into pieces where a line may break. */
const searchedParts = '[aria-label="Email masks"] :is(h2, p, td, th, button, a)';

const name = "search";

/**
 * Marks what a search has found on the page, without changing it; marks follow the page until the returned function is
 * called. Does nothing in a browser without the CSS Custom Highlight API.
 */
export const markMatches = (container: Element, search: string): (() => void) => {
  const searched = shownMatches(search);
  const highlights = globalThis.CSS?.highlights as HighlightRegistry | undefined;
  if (highlights === undefined || searched.length === 0) return () => undefined;
  const mark = (): void => {
    const found = [...container.querySelectorAll(searchedParts)];
    const parts = found.filter((part) => !found.some((other) => other !== part && part.contains(other)));
    highlights.set(name, new Highlight(...parts.flatMap((part) => rangesIn(part, searched))));
  };
  mark();
  const observer = new MutationObserver(mark);
  observer.observe(container, { childList: true, subtree: true, characterData: true });
  return () => {
    observer.disconnect();
    highlights.delete(name);
  };
};

import { useEffect } from "react";
import { createKeptScreen, type KeptNode } from "../../core/masks/keptScreen.ts";
import { defaultMaskQuery, type MaskQuery } from "../../core/masks/maskQuery.ts";
import { isNarrowScreen, stylesOf } from "../loading/keptScreen.ts";
import { useFeature, useSignedIn } from "../react/useApp.ts";
import { firstHeader } from "./Header.tsx";

/** Nothing has changed for this time, in which also the list was stored. */
const quietMs = 600;

/** Returns the lower edge of the part that is seen at first; a page that is scrolled is kept whole. */
const seenUntil = (): number => (window.scrollY === 0 ? window.innerHeight : Number.POSITIVE_INFINITY);

const read = (node: Node): readonly KeptNode[] => {
  if (!(node instanceof Element)) return node.textContent ? [node.textContent] : [];
  if (node.getBoundingClientRect().top > seenUntil()) return [];
  const attributes = Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]));
  // React changes the state of a switch, which its attribute does not follow.
  if (node instanceof HTMLInputElement && node.checked) attributes["checked"] = "";
  else delete attributes["checked"];
  return [[node.localName, attributes, [...node.childNodes].flatMap(read)]];
};

/** Selects what is open or under way, as the selection of masks and the field that renames one. */
const passing =
  '[aria-expanded="true"], [aria-busy="true"], input:not([type="search"], [type="radio"], [role="switch"], [data-select])';

/** The link to the masks, which are shown. */
const currentLink = 'nav [href="#masks"][aria-current="page"]';

const isFirstPage = ({ search, filter, page }: MaskQuery): boolean =>
  search === "" && filter === defaultMaskQuery.filter && page === 1;

/** Keeps the screen with the list whenever it has come to rest, for the next visit. Renders nothing. */
export const ScreenKeeper = (): null => {
  const { masks } = useSignedIn();
  const keep = useFeature(createKeptScreen);
  useEffect(() => {
    const main = document.querySelector("main");
    if (main === null) return;
    const isAtRest = (): boolean =>
      masks.view$.value.status === "ready" &&
      isFirstPage(masks.query$.value) &&
      masks.newest$.value === null &&
      masks.copied$.value === null &&
      main.querySelector('[aria-label="Email masks"]') !== null &&
      main.querySelector(passing) === null;
    const take = (): void => {
      const header = firstHeader();
      if (!header?.element.querySelector(currentLink) || !isAtRest()) return;
      keep({
        nodes: [header.element, main].flatMap(read),
        height: window.innerHeight,
        pageHeight: document.documentElement.scrollHeight,
        theme: header.theme,
        isNarrow: isNarrowScreen(window),
        styles: stylesOf(document),
      });
    };
    let timer = 0;
    const wait = (): void => {
      window.clearTimeout(timer);
      timer = window.setTimeout(take, quietMs);
    };
    const changes = new MutationObserver(wait);
    changes.observe(main, { subtree: true, childList: true, characterData: true, attributes: true });
    const listed = masks.view$.subscribe(wait);
    return () => {
      window.clearTimeout(timer);
      changes.disconnect();
      listed.unsubscribe();
    };
  }, [masks, keep]);
  return null;
};

import { useEffect, useRef, useState } from "react";
import { defaultMaskQuery, type MaskFilter, type MaskQuery } from "../../../core/masks/maskQuery.ts";
import { createChunk } from "../../loading/chunk.ts";
import { useChunk } from "../../loading/Lazy.tsx";
import { addressText, nameEntry, namesTab, readAddress } from "../../navigation/address.ts";
import { onFocusGiven } from "../../navigation/focus.ts";
import { useApp, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { entryState } from "../../ui/overlay/layers.ts";
import { layersIn } from "../../ui/overlay/useBackToClose.ts";
import { moveInList } from "./list/moveInList.ts";
import { returnToRow } from "./list/returnToRow.ts";
import { listDialogs } from "./listDialogs.ts";
import type { MaskDialog, OpenMaskDialog } from "./maskDialog.ts";

/**
 * Marks the page while it is scrolled down, which puts a floating button away; until it is scrolled up, or one of its ends is
 * in view. Returns the function that stops it.
 */
const followScrolling = (): (() => void) => {
  const { documentElement: root } = document;
  let before = window.scrollY;
  const follow = (): void => {
    const top = window.scrollY;
    // At its ends a page may be drawn further than it scrolls.
    const isAtEnd = top + root.clientHeight >= root.scrollHeight - 1;
    if (top !== before) root.toggleAttribute("data-scrolled-down", top > Math.max(before, 0) && !isAtEnd);
    before = top;
  };
  window.addEventListener("scroll", follow, { passive: true });
  return () => {
    window.removeEventListener("scroll", follow);
    root.removeAttribute("data-scrolled-down");
  };
};

const filters: Readonly<Record<string, MaskFilter>> = { active: "active", disabled: "disabled" };

const queryIn = (): MaskQuery => {
  const { filter = "", search = "", page } = readAddress(window).params;
  return { search, filter: filters[filter] ?? defaultMaskQuery.filter, page: Number(page) || 1 };
};

const tab = "masks";
const listPath = [tab];

const addressOf = ({ search, filter, page }: MaskQuery, path: readonly string[] = listPath): string =>
  addressText(path, {
    filter: filter === defaultMaskQuery.filter ? undefined : filter,
    search,
    page: page > 1 ? String(page) : undefined,
  });

const pathOf = (dialog: MaskDialog): readonly string[] =>
  "mask" in dialog ? [...listPath, dialog.mask.id, dialog.kind] : [...listPath, dialog.kind];

/** The address of a dialog over the list that a query selects. */
export const dialogAddress = (dialog: MaskDialog, query: MaskQuery): string =>
  addressOf(query, pathOf(dialog));

const dialogKinds = ["edit", "correspondents", "block", "destination", "delete"] as const;

/** The mask that the address names, and the dialog about it. */
interface NamedMask {
  readonly id: string;
  readonly kind: (typeof dialogKinds)[number] | undefined;
}

const isSearchAlone = (before: MaskQuery, after: MaskQuery): boolean =>
  addressOf({ ...before, search: "", page: 1 }) === addressOf({ ...after, search: "", page: 1 }) &&
  before.search !== after.search;

const goneText = "This mask does not exist any more";

const marksChunk = createChunk(
  () => import("./list/markMatches.ts"),
  (module) => module.markMatches,
);

/** Marks what the search has found. */
const useMarks = (): void => {
  const { masks } = useSignedIn();
  const { search } = useObservable(masks.shownQuery$);
  const { part: markMatches } = useChunk(marksChunk, search !== "");
  useEffect(() => {
    const main = document.querySelector("main");
    return markMatches && main && search !== "" ? markMatches(main, search) : undefined;
  }, [markMatches, search]);
};

/** Gives the focus to what the keys ask for, once there are masks to search, to select and to go through. */
const useFocusTargets = (): void => {
  const hasMasks = useObservable(useSignedIn().masks.view$).all.length > 0;
  useEffect(() => {
    if (!hasMasks) return undefined;
    const find = (part: string) => document.querySelector<HTMLElement>(`main ${part}`);
    const ends = [
      onFocusGiven("search", () => find('input[type="search"]')?.focus()),
      onFocusGiven("selection", () => find("#select-masks")?.click()),
      onFocusGiven("next mask", () => moveInList(1)),
      onFocusGiven("mask before", () => moveInList(-1)),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [hasMasks]);
};

interface AddressEvents {
  readonly open: OpenMaskDialog;
  /** Called when the address names a mask, whose card is shown now. */
  readonly onReveal: () => void;
}

/**
 * Keeps the list and the address of the page the same: a link, a reload and the back button show the query, the mask or
 * the dialog that the address names. A search renames the entry of the history, a click adds one. Also marks what the
 * search has found, gives the focus to what the keys ask for, and puts the floating button away while the list is scrolled
 * down. Renders nothing.
 */
export const MaskAddress = (events: AddressEvents): null => {
  const { toasts } = useApp();
  const { masks } = useSignedIn();
  useMarks();
  useFocusTargets();
  useEffect(followScrolling, []);
  useEffect(returnToRow, []);
  const latest = useRef(events);
  const [revealed, setRevealed] = useState(0);
  useEffect(() => {
    if (revealed > 0) latest.current.onReveal();
  }, [revealed]);
  useEffect(() => {
    latest.current = events;
  });

  useEffect(() => {
    /** The query that the address of the list names. */
    let known = masks.shownQuery$.value;
    let named: NamedMask | null = null;

    /** Shows the named mask once the masks are loaded. */
    const showNamed = (): void => {
      if (named === null) return;
      const { id, kind } = named;
      const { all, status } = masks.view$.value;
      const mask = all.find((one) => one.id === id);
      if (mask === undefined && status === "loading") return;
      named = null;
      if (mask === undefined) toasts.show("warning", goneText);
      else if (kind !== undefined) latest.current.open({ kind, mask });
      else {
        masks.reveal(id);
        setRevealed((count) => count + 1);
      }
    };
    const isHere = (): boolean => namesTab(window, tab);
    const showPath = (): void => {
      const {
        path: [, id, kind],
        params: { name, site },
      } = readAddress(window);
      // The dialog is open already where one above it has closed.
      if (id === undefined || layersIn(window).isShown()) return;
      // A dialog adds an entry of its own to the one of the list.
      if (!entryState(window).layers) nameEntry(addressOf(known));
      const listDialog = listDialogs.find(({ path }) => path[1] === id);
      if (id === "new") latest.current.open({ kind: id, name, site });
      else if (listDialog) latest.current.open({ kind: listDialog.path[1] });
      else named = { id, kind: dialogKinds.find((one) => one === kind) };
      showNamed();
    };
    const follow = (): void => {
      if (readAddress(window).path[0] !== listPath[0]) return;
      const query = queryIn();
      // Where a dialog has closed, what it did to the list counts more than the address from before.
      const isReturn = addressOf(query) === addressOf(known);
      known = isReturn ? masks.shownQuery$.value : query;
      if (isReturn && !entryState(window).layers && readAddress(window).path.length === 1)
        nameEntry(addressOf(known));
      else if (!isReturn) masks.show(query);
      showPath();
    };
    const write = (query: MaskQuery): void => {
      const address = addressOf(query);
      if (address === addressOf(known) || entryState(window).layers || !isHere()) return;
      if (isSearchAlone(known, query)) nameEntry(address);
      else window.history.pushState({ shown: true }, "", address);
      known = query;
    };

    if (isHere()) {
      if (entryState(window).shown || Object.keys(readAddress(window).params).length > 0) {
        known = queryIn();
        masks.show(known);
      }
      if (!entryState(window).layers && readAddress(window).path.length < 2)
        nameEntry(addressOf(known), { shown: true });
      showPath();
    }
    const written = masks.shownQuery$.subscribe(write);
    const loaded = masks.view$.subscribe(showNamed);
    const endFollowing = layersIn(window).onMove(follow);
    return () => {
      written.unsubscribe();
      loaded.unsubscribe();
      endFollowing();
    };
  }, [masks, toasts]);
  return null;
};

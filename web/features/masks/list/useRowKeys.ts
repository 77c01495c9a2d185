import type { KeyboardEvent, MouseEvent, RefObject } from "react";
import { flushSync } from "react-dom";
import type { Bulk } from "../../../../core/bulk/bulk.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import { addressText } from "../../../navigation/address.ts";
import { openPage } from "../../../navigation/goTo.ts";
import { useAction } from "../../../react/useAction.ts";
import { useSignedIn } from "../../../react/useApp.ts";
import type { OpenMaskDialog } from "../maskDialog.ts";

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };

/** True where the keys of the list have a meaning of their own: a text field, a menu or a dialog has others. */
const isForList = (event: KeyboardEvent<HTMLElement>): boolean => {
  const { target, currentTarget, defaultPrevented } = event;
  return (
    !defaultPrevented &&
    target instanceof Element &&
    currentTarget.contains(target) &&
    !target.matches("input:not([type='checkbox']), textarea")
  );
};

/** Returns the row that an event is about; null outside of the rows. */
export const rowOf = ({ target }: { readonly target: EventTarget }): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>("tr[data-row]") : null;

interface RowKeysOptions {
  readonly body: RefObject<HTMLElement | null>;
  readonly bulk: Pick<Bulk, "select" | "toggle">;
  readonly found: readonly Mask[];
  readonly selected: ReadonlySet<string>;
  readonly isSelecting: boolean;
  readonly onSelected: () => void;
  /** Has the row of a mask drawn, so that it can have the focus. */
  readonly setActive: (id: string) => void;
  readonly onOpen: OpenMaskDialog;
}

/** Returns what keys and presses do in the rows: move the focus, select, copy, edit, open. */
export const useRowKeys = ({
  body,
  bulk,
  found,
  selected,
  isSelecting,
  onSelected,
  setActive,
  onOpen,
}: RowKeysOptions) => {
  const { masks } = useSignedIn();
  const copy = useAction(masks.copyAddress);
  const focusRow = (mask: Mask, part: string): void => {
    flushSync(() => setActive(mask.id));
    const row = body.current?.querySelector(`[data-row="${CSS.escape(mask.id)}"]`);
    row?.querySelector<HTMLElement>(part)?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  };
  /** Moves the focus to the row before or after; with Shift selects on the way. */
  const move = (event: KeyboardEvent, mask: Mask, step: number): void => {
    const next = found[found.findIndex(({ id }) => id === mask.id) + step];
    event.preventDefault();
    if (next === undefined) return;
    if (event.shiftKey) {
      if (!selected.has(mask.id)) bulk.toggle(mask.id);
      bulk.toggle(next.id, true);
    }
    const isOnBox = event.target instanceof Element && event.target.matches("[data-select]");
    focusRow(next, isOnBox ? "[data-select]" : "[data-mask]");
  };
  const leave = (event: KeyboardEvent): void => {
    if (!isSelecting && selected.size === 0) return;
    event.preventDefault();
    bulk.select([]);
    if (isSelecting) onSelected();
  };
  const handleRowKey = (event: KeyboardEvent, mask: Mask): void => {
    const step = steps[event.key];
    const isOnLink = event.target instanceof Element && event.target.matches("a");
    if (step !== undefined) move(event, mask, step);
    else if (event.key === "e") onOpen({ kind: "edit", mask });
    else if (event.key === "c") copy.run(mask.id);
    else if (event.key === " " && isOnLink) bulk.toggle(mask.id, event.shiftKey);
    else return;
    event.preventDefault();
  };
  const handleKey = (event: KeyboardEvent<HTMLElement>): void => {
    if (!isForList(event)) return;
    const hasModifier = event.ctrlKey || event.metaKey;
    if (event.key === "Escape") leave(event);
    else if (event.key === "a" && hasModifier) {
      event.preventDefault();
      bulk.select(found.map(({ id }) => id));
    } else if (!hasModifier && !event.altKey) {
      const mask = found.find(({ id }) => id === rowOf(event)?.dataset["row"]);
      if (mask) handleRowKey(event, mask);
    }
  };
  /** A press on a row opens the mask's page; with Shift, Ctrl or ⌘, and while masks are being selected, it selects. */
  const handleClick = (event: MouseEvent<HTMLElement>): void => {
    const id = rowOf(event)?.dataset["row"];
    const isOnControl =
      event.target instanceof Element && event.target.closest("button, input, label") !== null;
    if (id === undefined || event.defaultPrevented || isOnControl) return;
    const isOnLink = event.target instanceof Element && event.target.closest("a") !== null;
    const hasModifier = event.ctrlKey || event.metaKey;
    if (event.shiftKey || (!isOnLink && (hasModifier || isSelecting || selected.size > 0))) {
      event.preventDefault();
      bulk.toggle(id, event.shiftKey);
    } else if (!isOnLink && !window.getSelection()?.toString()) openPage(addressText(["mask"], { id }));
  };
  return { handleKey, handleClick };
};

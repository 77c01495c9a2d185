import { useRef, useState } from "react";

/** The selection in a list. */
export interface Selection {
  /** The selected ids that are in the list, in its order. */
  readonly chosen: readonly string[];
  readonly has: (id: string) => boolean;
  readonly isAll: boolean;
  /** Selects an entry or not; for a range also those between it and the one that was changed before. */
  readonly toggle: (id: string, isSelected: boolean, isRange?: boolean) => void;
  readonly selectAll: (isSelected: boolean) => void;
}

/** Selects entries of a list; one that is no longer in it is not selected. */
export const useSelection = (ids: readonly string[]): Selection => {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  const between = (id: string): readonly string[] => {
    const from = ids.indexOf(last.current ?? id);
    const to = ids.indexOf(id);
    return from < 0 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1);
  };
  const chosen = ids.filter((id) => selected.has(id));
  return {
    chosen,
    has: (id) => selected.has(id),
    isAll: ids.length > 0 && chosen.length === ids.length,
    toggle: (id, isSelected, isRange = false) => {
      const changed = isRange ? between(id) : [id];
      last.current = id;
      setSelected(
        (before) =>
          new Set(isSelected ? [...before, ...changed] : [...before].filter((one) => !changed.includes(one))),
      );
    },
    selectAll: (isSelected) => setSelected(new Set(isSelected ? ids : [])),
  };
};

import { useState } from "react";

/** What is selected in a list. */
export interface Selection {
  /** The selected ids that are in the list, in its order. */
  readonly chosen: readonly string[];
  readonly has: (id: string) => boolean;
  readonly isAll: boolean;
  readonly toggle: (id: string, isSelected: boolean) => void;
  readonly selectAll: (isSelected: boolean) => void;
}

/** Selects entries of a list; one that is no longer in it is not selected. */
export const useSelection = (ids: readonly string[]): Selection => {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const chosen = ids.filter((id) => selected.has(id));
  return {
    chosen,
    has: (id) => selected.has(id),
    isAll: ids.length > 0 && chosen.length === ids.length,
    toggle: (id, isSelected) =>
      setSelected(
        (before) => new Set(isSelected ? [...before, id] : [...before].filter((one) => one !== id)),
      ),
    selectAll: (isSelected) => setSelected(new Set(isSelected ? ids : [])),
  };
};

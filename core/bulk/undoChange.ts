import { toSearchText } from "../kernel/searchText.ts";
import { isActive, type Mask, type MaskId } from "../masks/mask.ts";
import type { BulkChange } from "./bulkChange.ts";

/** A change and the masks that it is made to. */
export interface BulkStep {
  readonly ids: readonly MaskId[];
  readonly change: BulkChange;
}

const idsOf = (masks: readonly Mask[]): readonly MaskId[] => masks.map(({ id }) => id);

const hasLabel =
  (label: string) =>
  ({ labels = [] }: Mask): boolean =>
    labels.some((one) => toSearchText(one) === toSearchText(label));

const groupBy = (
  masks: readonly Mask[],
  key: (mask: Mask) => string,
): ReadonlyMap<string, readonly Mask[]> => {
  const groups = new Map<string, Mask[]>();
  for (const mask of masks) groups.set(key(mask), [...(groups.get(key(mask)) ?? []), mask]);
  return groups;
};

const idOf = (rule: unknown): string => String((rule as { readonly id?: unknown }).id);

/** Removes added rules, and puts back those that they have replaced. */
const withoutAdded = (masks: readonly Mask[], added: readonly string[]): readonly BulkStep[] => {
  const replacedIn = ({ settings }: Mask): readonly unknown[] =>
    (settings?.rules ?? []).filter((rule) => added.includes(idOf(rule)));
  const newIn = (mask: Mask): readonly string[] => {
    const replaced = replacedIn(mask).map(idOf);
    return added.filter((id) => !replaced.includes(id));
  };
  const groups = groupBy(masks, (mask) => JSON.stringify(newIn(mask)));
  return [
    ...[...groups.values()].flatMap((group): readonly BulkStep[] => {
      const ids = group.slice(0, 1).flatMap(newIn);
      return ids.length === 0 ? [] : [{ ids: idsOf(group), change: { kind: "removeRules", ids } }];
    }),
    ...masks.flatMap((mask): readonly BulkStep[] => {
      const rules = [...replacedIn(mask)];
      return rules.length === 0 ? [] : [{ ids: [mask.id], change: { kind: "addRules", rules } }];
    }),
  ];
};

const stepsOf = (masks: readonly Mask[], change: BulkChange): readonly BulkStep[] => {
  switch (change.kind) {
    case "switch":
      return [
        {
          ids: idsOf(masks.filter((mask) => isActive(mask) !== change.active)),
          change: { ...change, active: !change.active },
        },
      ];
    case "pin":
      return [
        {
          ids: idsOf(masks.filter(({ pinned = false }) => pinned !== change.pinned)),
          change: { ...change, pinned: !change.pinned },
        },
      ];
    case "label":
      return [
        ...change.add.map((label) => ({
          ids: idsOf(masks.filter((mask) => !hasLabel(label)(mask))),
          change: { kind: "label", add: [], remove: [label] } as const,
        })),
        ...change.remove.map((label) => ({
          ids: idsOf(masks.filter(hasLabel(label))),
          change: { kind: "label", add: [label], remove: [] } as const,
        })),
      ];
    case "move":
      return [...groupBy(masks, ({ forwardTo }) => forwardTo)].map(([forwardTo, moved]) => ({
        ids: idsOf(moved),
        change: { kind: "move", forwardTo } as const,
      }));
    case "addRules":
      return withoutAdded(masks, change.rules.map(idOf));
    case "delete":
      return [{ ids: idsOf(masks), change: { kind: "restore" } }];
    case "removeRules":
    case "restore":
      return [];
    default:
      return change satisfies never;
  }
};

/** Returns what takes back a change of masks, given as they were before it; nothing for what cannot be taken back. */
export const undoSteps = (masks: readonly Mask[], change: BulkChange): readonly BulkStep[] =>
  stepsOf(masks, change).filter(({ ids }) => ids.length > 0);

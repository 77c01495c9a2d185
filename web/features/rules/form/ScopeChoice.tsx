import { useMemo } from "react";
import { toSearchText } from "../../../../core/kernel/searchText.ts";
import { labelsOf } from "../../../../core/labels/label.ts";
import { maskName } from "../../../../core/masks/maskListSettings.ts";
import { labelScope } from "../../../../core/rules/editing/ruleScope.ts";
import {
  type AccountPlace,
  accountListId,
  accountListNames,
  accountListTexts,
  accountPlaces,
  allMasksName,
} from "../../../../core/rules/model/rulePlace.ts";
import { useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { type OptionGroup, SearchSelect } from "../../../ui/form/SearchSelect.tsx";
import { maskOptions } from "../../masks/select/MaskSelect.tsx";
import { nameOfList } from "../overviewFilter.ts";
import styles from "./RuleDialog.module.css";

type Groups = readonly OptionGroup<string>[];

const everywhere = (place: AccountPlace) => ({
  value: accountListId(place),
  label: accountListNames[place],
  description: accountListTexts[place],
});

/** Returns what a new rule can be for: all masks, those with a label, or one. */
export const useScopes = () => {
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  return useMemo(() => {
    const groups: Groups = [
      {
        title: allMasksName,
        options: accountPlaces.map(everywhere),
      },
      {
        title: "Labels",
        options: labelsOf(all).map((label) => ({ value: labelScope(label), label: `Label “${label}”` })),
      },
      { title: "Masks", options: maskOptions(all) },
    ].filter(({ options }) => options.length > 0);
    const known = new Set(groups.flatMap(({ options }) => options.map(({ value }) => value)));
    return { groups, isKnown: (scope: string | null | undefined): scope is string => known.has(scope ?? "") };
  }, [all]);
};

interface ScopeChoiceProps {
  readonly groups: Groups;
  readonly scope: string | null;
  readonly error: string | undefined;
  readonly onChange: (scope: string) => void;
}

/** Chooses the masks of a new rule, with which its sentence begins. */
export const ScopeChoice = ({ groups, scope, error, onChange }: ScopeChoiceProps) => (
  <div className={styles.row}>
    <span className={styles.word}>For</span>
    <div className={styles.inputs}>
      <SearchSelect
        label="For which masks"
        isLabelHidden
        searchLabel="Search the masks"
        fold={toSearchText}
        value={scope ?? undefined}
        onChange={onChange}
        groups={groups}
        error={error}
      />
    </div>
  </div>
);

/** Names the masks of a stored rule. */
export const FixedScope = ({ listId }: { readonly listId: string | null }) => {
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const choices = useMemo(() => all.map((mask) => ({ id: mask.id, description: maskName(mask) })), [all]);
  return (
    <p className={styles.row}>
      <span className={styles.word}>For</span>
      <span className={styles.scope}>{nameOfList({ masks: choices }, listId ?? "")}</span>
    </p>
  );
};

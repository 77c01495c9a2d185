import { useMemo, useState } from "react";
import { createBulk } from "../../../../core/bulk/bulk.ts";
import { labelsOf } from "../../../../core/labels/label.ts";
import { maskName } from "../../../../core/masks/maskListSettings.ts";
import { labelSearch, searchMasks } from "../../../../core/masks/maskSearch.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import { useFeature, useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { TextField } from "../../../ui/form/TextField.tsx";
import { FormDialog } from "../../../ui/overlay/FormDialog.tsx";
import styles from "../RuleCard.module.css";

interface ApplyRuleDialogProps {
  readonly rules: readonly Rule[];
  /** The mask that has the rules; null when they are of several. */
  readonly maskId: string | null;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const maxNames = 6;

const countMasks = (count: number): string => (count === 1 ? "1 mask" : `${count} masks`);

const whatOf = (rules: readonly Rule[]): string =>
  rules.length === 1 ? `“${rules[0]?.name}”` : `${rules.length} rules`;

/** Gives rules to masks that are chosen by a search; a mask that has one of them already gets it as it is now. */
export const ApplyRuleDialog = ({ rules, maskId, isOpen, onClose }: ApplyRuleDialogProps) => {
  const bulk = useFeature(createBulk);
  const { progress, selected } = useObservable(bulk.view$);
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const [search, setSearch] = useState("");
  const found = useMemo(
    () => searchMasks(all, search).filter(({ id }) => id !== maskId),
    [all, search, maskId],
  );
  const apply = (): void => {
    const copies = rules.map(({ maskId: _, ...copy }) => copy);
    onClose();
    bulk.select(found.map(({ id }) => id));
    void bulk.run({ kind: "addRules", rules: copies })();
    bulk.select([...selected]);
  };
  const more = found.length - maxNames;
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Apply ${whatOf(rules)} to other masks`}
      onSubmit={apply}
      submitLabel={found.length === 0 ? "Apply" : `Apply to ${countMasks(found.length)}`}
      isIncomplete={found.length === 0 || progress !== null}
    >
      <TextField
        label="Which masks"
        value={search}
        onChange={setSearch}
        placeholder="label:shops"
        suggestions={labelsOf(all).map(labelSearch)}
        description="Words, or a search such as label:shops or is:on. Leave it empty for all other masks."
        autoComplete="off"
        autoFocus
      />
      <p aria-live="polite" className={styles.served}>
        {found.length === 0
          ? "No other mask matches."
          : `${found.slice(0, maxNames).map(maskName).join(", ")}${more > 0 ? ` and ${more} more` : ""}`}
      </p>
      <p className={styles.served}>
        {rules.length === 1
          ? "The rule is added after the rules of each mask. Where it was applied before, it is replaced by the present version."
          : "The rules come after the rules that a mask has. Where one of them was applied before, it is replaced by what it is now."}
      </p>
    </FormDialog>
  );
};

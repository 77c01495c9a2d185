import { useState } from "react";
import type { FieldError } from "../../../../core/kernel/failure.ts";
import {
  type ConditionNodeDraft,
  changeGroup,
  draftLeaves,
  type GroupDraft,
  withCondition,
  withGroup,
} from "../../../../core/rules/editing/conditionGroupDraft.ts";
import type { RuleDraft } from "../../../../core/rules/editing/ruleDraft.ts";
import {
  groupLabels,
  groupMatches,
  isGroup,
  maxGroupDepth,
} from "../../../../core/rules/model/conditionGroup.ts";
import { Button } from "../../../ui/Button.tsx";
import { Select } from "../../../ui/form/Select.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { PlusIcon } from "../../../ui/icons/PlusIcon.tsx";
import { TrashIcon } from "../../../ui/icons/TrashIcon.tsx";
import { ButtonRow } from "../../../ui/layout/layout.tsx";
import { ConditionRow } from "./ConditionRow.tsx";
import styles from "./RuleDialog.module.css";

interface ConditionListProps {
  readonly draft: RuleDraft;
  readonly timeZone: string;
  readonly errors: readonly FieldError[];
  readonly onChange: (draft: RuleDraft) => void;
}

interface NodesProps extends ConditionListProps {
  readonly nodes: readonly ConditionNodeDraft[];
  /** The group that holds them; null for the rule itself. */
  readonly group: GroupDraft | null;
  /** The place of the group in words, such as "2.1."; empty for the rule itself. */
  readonly place: string;
  readonly depth: number;
  readonly addedId: string | null;
  readonly onAdd: (draft: RuleDraft) => void;
}

const Group = (props: NodesProps & { readonly group: GroupDraft; readonly name: string }) => {
  const { draft, group, name, onChange } = props;
  return (
    <fieldset className={styles.nested}>
      <legend className="visually-hidden">{name}</legend>
      <div className={styles.choices}>
        <Select
          label={`${name}: how its conditions combine`}
          isLabelHidden
          value={group.match}
          onChange={(match) => onChange(changeGroup(draft, group.id, (one) => ({ ...one, match })))}
          options={groupMatches.map((match) => ({ value: match, label: groupLabels[match] }))}
        />
        <IconButton
          label={`Remove ${name.toLowerCase()}`}
          icon={<TrashIcon size={18} />}
          onPress={() => onChange(changeGroup(draft, group.id, () => null))}
        />
      </div>
      <Nodes {...props} nodes={group.conditions} />
    </fieldset>
  );
};

const Nodes = (props: NodesProps) => {
  const { draft, nodes, group, place, depth, addedId, timeZone, errors, onChange, onAdd } = props;
  return (
    <>
      {nodes.map((node, index) =>
        isGroup(node) ? (
          <Group
            key={node.id}
            {...props}
            group={node}
            name={`Group ${place}${index + 1}`}
            place={`${place}${index + 1}.`}
            depth={depth + 1}
          />
        ) : (
          <ConditionRow
            key={node.id}
            draft={draft}
            condition={node}
            name={`Condition ${place}${index + 1}`}
            isNew={node.id === addedId}
            error={errors.find(({ field }) => field === `conditions.${node.id}.value`)?.message}
            onChange={onChange}
          />
        ),
      )}
      <ButtonRow>
        <Button
          size="small"
          icon={<PlusIcon size={16} />}
          onPress={() => onAdd(withCondition(draft, timeZone, group?.id))}
          aria-label={group ? `Add condition to group ${place.replace(/\.$/, "")}` : undefined}
        >
          Add Condition
        </Button>
        {depth < maxGroupDepth && (
          <Button
            size="small"
            variant="quiet"
            onPress={() => onAdd(withGroup(draft, timeZone, group?.id))}
            aria-label={group ? `Add group to group ${place.replace(/\.$/, "")}` : undefined}
          >
            Add Group
          </Button>
        )}
      </ButtonRow>
    </>
  );
};

/** Edits the conditions of a rule, and the groups of them. */
export const ConditionList = (props: ConditionListProps) => {
  const { draft, onChange } = props;
  const [addedId, setAddedId] = useState<string | null>(null);
  const add = (next: RuleDraft): void => {
    const known = new Set(draftLeaves(draft.conditions).map(({ id }) => id));
    setAddedId(draftLeaves(next.conditions).find(({ id }) => !known.has(id))?.id ?? null);
    onChange(next);
  };
  return (
    <Nodes
      {...props}
      nodes={draft.conditions}
      group={null}
      place=""
      depth={0}
      addedId={addedId}
      onAdd={add}
    />
  );
};

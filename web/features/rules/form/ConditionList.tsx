import { useState } from "react";
import type { FieldError } from "../../../../core/kernel/failure.ts";
import { isComplete } from "../../../../core/rules/editing/conditionDraft.ts";
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
import { ConditionRow } from "./ConditionRow.tsx";
import styles from "./RuleDialog.module.css";

interface ConditionListProps {
  readonly draft: RuleDraft;
  readonly timeZone: string;
  readonly errors: readonly FieldError[];
  /** True if the first value has the focus when the list appears. */
  readonly focusesFirst: boolean;
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

/** The word between two conditions of a group. */
const between: Readonly<Record<GroupDraft["match"], string>> = { all: "and", any: "or", none: "or" };

const wordOf = (group: GroupDraft | null, index: number): string => {
  if (index > 0) return between[group?.match ?? "all"];
  return group ? "" : "If";
};

/** Returns the error shown at a row; the first unfinished one says that a condition is missing. */
const errorOf = ({ draft, errors }: ConditionListProps, id: string): string | undefined => {
  const own = errors.find(({ field }) => field === `conditions.${id}.value`)?.message;
  const missing = errors.find(({ field }) => field === "conditions")?.message;
  const first = draftLeaves(draft.conditions).find((one) => !isComplete(one));
  return own ?? (first?.id === id ? missing : undefined);
};

const Group = (
  props: NodesProps & { readonly group: GroupDraft; readonly name: string; readonly word: string },
) => {
  const { draft, group, name, onChange } = props;
  return (
    <fieldset className={styles.nested}>
      <legend className="visually-hidden">{name}</legend>
      <div className={styles.groupHead}>
        {props.word !== "" && <span className={styles.word}>{props.word}</span>}
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

const focusOf = (
  id: string,
  { addedId, isFirst }: { readonly addedId: string | null; readonly isFirst: boolean },
): "field" | "value" | null => {
  if (id === addedId) return "field";
  return isFirst ? "value" : null;
};

const Nodes = (props: NodesProps) => {
  const { draft, nodes, group, place, depth, addedId, focusesFirst, timeZone, onChange, onAdd } = props;
  return (
    <>
      {nodes.map((node, index) =>
        isGroup(node) ? (
          <Group
            key={node.id}
            {...props}
            group={node}
            name={`Group ${place}${index + 1}`}
            word={wordOf(group, index)}
            place={`${place}${index + 1}.`}
            depth={depth + 1}
          />
        ) : (
          <ConditionRow
            key={node.id}
            draft={draft}
            condition={node}
            name={`Condition ${place}${index + 1}`}
            word={wordOf(group, index)}
            focus={focusOf(node.id, { addedId, isFirst: focusesFirst && place === "" && index === 0 })}
            error={errorOf(props, node.id)}
            onChange={onChange}
          />
        ),
      )}
      <div className={styles.more}>
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
            icon={<PlusIcon size={16} />}
            onPress={() => onAdd(withGroup(draft, timeZone, group?.id))}
            aria-label={group ? `Add group to group ${place.replace(/\.$/, "")}` : undefined}
          >
            Add group
          </Button>
        )}
      </div>
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

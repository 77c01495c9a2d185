import { type DragEvent, type KeyboardEvent, useId } from "react";
import type { MaskRules } from "../../../core/rules/editing/maskRules.ts";
import type { ShownRule } from "../../../core/rules/editing/rulesView.ts";
import type { Rule } from "../../../core/rules/model/rule.ts";
import { isSpaced, ruleSummary } from "../../../core/rules/model/ruleSummary.ts";
import { ruleTypeLabels } from "../../../core/rules/model/ruleType.ts";
import { relativeTimeInSentence } from "../../format/dates.ts";
import { useAction } from "../../react/useAction.ts";
import { useApp } from "../../react/useApp.ts";
import { Badge } from "../../ui/Badge.tsx";
import { classes } from "../../ui/classes.ts";
import { Switch } from "../../ui/form/Switch.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { EditIcon } from "../../ui/icons/EditIcon.tsx";
import { GripIcon } from "../../ui/icons/GripIcon.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { Menu } from "../../ui/overlay/Menu.tsx";
import { AwaitedAddresses } from "./form/DestinationNote.tsx";
import styles from "./RuleCard.module.css";

/** Summarizes a rule in one sentence: "If subject contains sale then tag Important". */
export const RuleSummary = ({ rule }: { readonly rule: Rule }) => (
  <p className={styles.sentence}>
    {ruleSummary(rule).map((part, at, parts) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a piece of the sentence is identified by its index
      <span key={at} className={part.kind === "value" ? styles.value : undefined}>
        {isSpaced(parts[at - 1], part) ? " " : ""}
        {part.text}
      </span>
    ))}
  </p>
);

interface RuleCardProps {
  readonly shown: ShownRule;
  readonly rules: MaskRules;
  readonly maskId: string;
  /** The index in the list, from 0, and the length of the list. */
  readonly index: number;
  readonly count: number;
  readonly isDropTarget: boolean;
  /** The reason for which it is unknown how often rules applied; null when that is known or being loaded. */
  readonly detailsProblem: string | null;
  /** The id of the element that explains the drag handle. */
  readonly hintId: string;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
  /** Called to give the rule to other masks; null without other masks. */
  readonly onApply: (() => void) | null;
  readonly onMove: (to: number) => void;
  readonly onDragStart: () => void;
  readonly onDragOver: () => void;
  readonly onDrop: () => void;
}

const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** Says how often a rule applied. */
export const describeUsage = ({ applied, lastApplied }: ShownRule, detailsProblem: string | null): string => {
  if (applied === null) return detailsProblem ?? "";
  if (applied === 0) return "Not applied yet";
  const times = applied === 1 ? "Applied once" : `Applied ${applied} times`;
  return lastApplied === null
    ? times
    : `${times}, last ${relativeTimeInSentence(Date.parse(lastApplied), Date.now())}`;
};

/** Shows one rule: its summary, its switch and how often it applied. */
export const RuleCard = (props: RuleCardProps) => {
  const { shown, rules, maskId, index, count, isDropTarget, onApply, onEdit, onDelete, onMove } = props;
  const { toasts } = useApp();
  const { rule, isLocal } = shown;
  const toggle = useAction(rules.setEnabled);
  const duplicate = useAction(rules.duplicate);
  const nameId = useId();
  const moveByKey = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onMove(index + step);
  };
  const showMenuError = (): void =>
    toasts.show("error", "The menu could not be loaded. Check your connection, then refresh the page.");
  const moves = [
    { id: "up", label: "Move up", isDisabled: index === 0, onSelect: () => onMove(index - 1) },
    { id: "down", label: "Move down", isDisabled: index === count - 1, onSelect: () => onMove(index + 1) },
  ];
  const allowDrop = (event: DragEvent): void => {
    event.preventDefault();
    props.onDragOver();
  };

  return (
    <Card
      as="li"
      aria-labelledby={nameId}
      isMuted={!rule.enabled}
      className={classes(styles.card, isDropTarget && styles.dropTarget)}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only a drop target; the handle moves a card by keyboard */}
      <div className={styles.inner} onDragOver={allowDrop} onDrop={props.onDrop}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard */}
        <span draggable onDragStart={props.onDragStart} className={styles.handle}>
          <Menu
            id={`move-${rule.id}`}
            label={`Move ${rule.name}, ${index + 1} of ${count}`}
            aria-describedby={props.hintId}
            icon={<GripIcon size={18} />}
            size="small"
            items={moves}
            onKeyDown={moveByKey}
            onUnavailable={showMenuError}
          />
        </span>
        <div className={styles.words}>
          <div className={styles.head}>
            <h2 id={nameId} className={styles.name}>
              {rule.name}
            </h2>
            <Badge>{ruleTypeLabels[rule.type]}</Badge>
          </div>
          <RuleSummary rule={rule} />
          <p className={styles.served}>
            {isLocal && <Badge kind="warning">Local only</Badge>}
            {describeUsage(shown, props.detailsProblem)}
          </p>
          <AwaitedAddresses rule={rule} />
        </div>
        <div className={styles.controls}>
          <Switch
            label={`${rule.name} is on`}
            isLabelHidden
            isOn={rule.enabled}
            isPending={toggle.isRunning}
            onChange={(on) => toggle.run(rule.id, on, maskId)}
          />
          <IconButton label={`Edit ${rule.name}`} icon={<EditIcon size={18} />} onPress={onEdit} />
          <Menu
            label={`Options for ${rule.name}`}
            onUnavailable={showMenuError}
            items={[
              ...moves,
              { id: "duplicate", label: "Duplicate", onSelect: () => duplicate.run(rule.id, maskId) },
              ...(onApply
                ? [{ id: "apply", label: "Apply to other masks", isDisabled: isLocal, onSelect: onApply }]
                : []),
              { id: "delete", label: "Delete rule", isDanger: true, onSelect: onDelete },
            ]}
          />
        </div>
      </div>
    </Card>
  );
};

import { type DragEvent, type KeyboardEvent, useId } from "react";
import { ruleTypeLabels } from "../../core/rules/ruleType.ts";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { Badge } from "../ui/Badge.tsx";
import { Card } from "../ui/Card.tsx";
import { classes } from "../ui/classes.ts";
import { IconButton } from "../ui/IconButton.tsx";
import { EditIcon } from "../ui/icons/EditIcon.tsx";
import { GripIcon } from "../ui/icons/GripIcon.tsx";
import { Menu } from "../ui/Menu.tsx";
import { Switch } from "../ui/Switch.tsx";
import { momentAgoWithin } from "../wording/moments.ts";
import styles from "./RuleCard.module.css";
import { RuleSentence } from "./RuleSentence.tsx";
import type { MaskRules, ShownRule } from "./rulesPart.ts";

interface RuleCardProps {
  readonly shown: ShownRule;
  readonly rules: MaskRules;
  readonly maskId: string;
  /** Its place in the list, from 0, and how many there are. */
  readonly at: number;
  readonly count: number;
  readonly isDropTarget: boolean;
  /** Where it is said how the handle is used. */
  readonly hintId: string;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
  readonly onMove: (to: number) => void;
  readonly onDragStart: () => void;
  readonly onDragOver: () => void;
  readonly onDrop: () => void;
}

const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

const served = ({ applied, lastApplied }: ShownRule): string => {
  if (applied === null) return "";
  if (applied === 0) return "Not applied yet";
  const times = applied === 1 ? "Applied once" : `Applied ${applied} times`;
  return lastApplied === null
    ? times
    : `${times}, last ${momentAgoWithin(Date.parse(lastApplied), Date.now())}`;
};

/** One rule: what it does, whether it does, and how it has served. */
export const RuleCard = (props: RuleCardProps) => {
  const { shown, rules, maskId, at, count, isDropTarget, onEdit, onDelete, onMove } = props;
  const { toasts } = useApp();
  const { rule, isLocal } = shown;
  const toggle = useAction(rules.setEnabled);
  const nameId = useId();
  const moveByKey = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onMove(at + step);
  };
  const sayNoMenu = (): void =>
    toasts.show("error", "The menu could not be loaded. Check your connection, then refresh the page.");
  const moves = [
    { id: "up", label: "Move up", isDisabled: at === 0, onSelect: () => onMove(at - 1) },
    { id: "down", label: "Move down", isDisabled: at === count - 1, onSelect: () => onMove(at + 1) },
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
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a place to drop a card; keys move it by the handle */}
      <div className={styles.inner} onDragOver={allowDrop} onDrop={props.onDrop}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keys */}
        <span draggable onDragStart={props.onDragStart} className={styles.handle}>
          <Menu
            id={`move-${rule.id}`}
            label={`Move ${rule.name}, ${at + 1} of ${count}`}
            aria-describedby={props.hintId}
            icon={<GripIcon size={18} />}
            size="small"
            items={moves}
            onKeyDown={moveByKey}
            onUnavailable={sayNoMenu}
          />
        </span>
        <div className={styles.words}>
          <div className={styles.head}>
            <h2 id={nameId} className={styles.name}>
              {rule.name}
            </h2>
            <Badge>{ruleTypeLabels[rule.type]}</Badge>
            {isLocal && <Badge kind="warning">Local only</Badge>}
          </div>
          <RuleSentence rule={rule} />
          <p className={styles.served}>{served(shown)}</p>
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
            onUnavailable={sayNoMenu}
            items={[...moves, { id: "delete", label: "Delete rule", isDanger: true, onSelect: onDelete }]}
          />
        </div>
      </div>
    </Card>
  );
};

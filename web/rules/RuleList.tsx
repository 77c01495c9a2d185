import { useEffect, useId, useRef, useState } from "react";
import type { RulesView, ShownRule } from "../../core/rules/editing/maskRules.ts";
import { useAction } from "../react/useAction.ts";
import { useSignedIn } from "../react/useApp.ts";
import { Button } from "../ui/Button.tsx";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { RulesIcon } from "../ui/moreIcons.tsx";
import { useLoadedDestinations } from "./DestinationNote.tsx";
import { RuleCard } from "./RuleCard.tsx";
import styles from "./RulesTab.module.css";

interface RuleListProps {
  readonly view: RulesView;
  /** Called with null for a new rule. */
  readonly onEdit: (rule: ShownRule["rule"] | null) => void;
  readonly onFocusLost: () => void;
}

type Rule = ShownRule["rule"];

/** Lists the rules in the order of their evaluation; dragging or the arrow keys change it. */
export const RuleList = ({ view, onEdit, onFocusLost }: RuleListProps) => {
  const { rules } = useSignedIn();
  const [dragged, setDragged] = useState<Rule | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const [toDelete, setToDelete] = useState<Rule | null>(null);
  const [announcement, setAnnouncement] = useState("");
  const hintId = useId();
  const movedId = useRef<string | null>(null);
  const move = useAction(rules.move);
  const remove = useAction(rules.remove, {
    onSuccess: () => {
      setToDelete(null);
      onFocusLost();
    },
    onProblem: () => setToDelete(null),
  });
  const { maskId, rules: list } = view;
  useLoadedDestinations(list.map(({ rule }) => rule.updatedAt).join());

  useEffect(() => {
    if (movedId.current === null) return;
    document.getElementById(`move-${movedId.current}`)?.focus();
    movedId.current = null;
  });

  if (maskId === null) return null;
  const moveTo = (rule: Rule, to: number): void => {
    if (to < 0 || to >= list.length) return;
    if (document.activeElement?.id === `move-${rule.id}`) movedId.current = rule.id;
    setAnnouncement(`${rule.name} is now ${to + 1} of ${list.length}`);
    move.run(rule.id, to, maskId);
  };
  const drop = (to: number): void => {
    if (dragged) moveTo(dragged, to);
    setDragged(null);
    setOver(null);
  };

  return (
    <>
      {list.length === 0 ? (
        <EmptyState
          title="No rules for this mask yet."
          illustration={<RulesIcon size={32} />}
          action={
            <Button variant="primary" onPress={() => onEdit(null)}>
              Add First Rule
            </Button>
          }
        >
          Without rules all of its mail is forwarded.
        </EmptyState>
      ) : (
        <ol className={styles.list} aria-label="Rules, in the order in which they are asked">
          {list.map((shown, index) => (
            <RuleCard
              key={shown.rule.id}
              shown={shown}
              rules={rules}
              maskId={maskId}
              index={index}
              count={list.length}
              hintId={hintId}
              detailsProblem={view.detailsProblem}
              isDropTarget={dragged !== null && over === index}
              onEdit={() => onEdit(shown.rule)}
              onDelete={() => setToDelete(shown.rule)}
              onMove={(to) => moveTo(shown.rule, to)}
              onDragStart={() => setDragged(shown.rule)}
              onDragOver={() => setOver(index)}
              onDrop={() => drop(index)}
            />
          ))}
        </ol>
      )}
      <span id={hintId} hidden>
        Drag it, or press the up or down arrow. Enter opens a menu.
      </span>
      <span role="status" className="visually-hidden">
        {announcement}
      </span>
      <ConfirmDialog
        isOpen={toDelete !== null}
        title="Delete rule?"
        confirmLabel="Delete"
        pendingLabel="Deleting…"
        isDanger
        isPending={remove.isRunning}
        onConfirm={() => toDelete && remove.run(toDelete.id, maskId)}
        onCancel={() => setToDelete(null)}
      >
        <p>Are you sure you want to delete this rule? This action cannot be undone.</p>
      </ConfirmDialog>
    </>
  );
};

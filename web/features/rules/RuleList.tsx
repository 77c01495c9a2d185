import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { createRulesAndSync } from "../../../core/app/rulesAndSync.ts";
import type { RulesView, ShownList, ShownRule } from "../../../core/rules/editing/rulesView.ts";
import { placeOfList } from "../../../core/rules/model/rulePlace.ts";
import { createChunk } from "../../loading/chunk.ts";
import { GuardedDialog } from "../../loading/Guarded.tsx";
import { useLazyOpening } from "../../loading/useOpening.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { DeleteRuleDialog } from "./DeleteRuleDialog.tsx";
import { useLoadedDestinations } from "./form/DestinationNote.tsx";
import { RuleCard } from "./RuleCard.tsx";
import styles from "./RulesTab.module.css";

interface RuleListProps {
  readonly view: RulesView;
  readonly list: ShownList;
  /** Stands where there are no rules. */
  readonly empty: ReactNode;
  readonly onEdit: (rule: ShownRule["rule"]) => void;
  readonly onFocusLost: () => void;
}

type Rule = ShownRule["rule"];

const applyDialog = createChunk(
  () => import("./form/ApplyRuleDialog.tsx"),
  (module) => module.ApplyRuleDialog,
);

/** Changes the order of rules by dragging and by keys; says where a rule is now and keeps the focus on what moved it. */
const useRuleOrder = (list: readonly ShownRule[], maskId: string | null) => {
  const { rules } = useFeature(createRulesAndSync);
  const [dragged, setDragged] = useState<Rule | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const [announcement, setAnnouncement] = useState("");
  const movedId = useRef<string | null>(null);
  const move = useAction(rules.move);

  useEffect(() => {
    if (movedId.current === null) return;
    document.getElementById(`move-${movedId.current}`)?.focus();
    movedId.current = null;
  });

  const moveTo = (rule: Rule, to: number): void => {
    if (to < 0 || to >= list.length) return;
    if (document.activeElement?.id === `move-${rule.id}`) movedId.current = rule.id;
    setAnnouncement(`${rule.name} is now ${to + 1} of ${list.length}`);
    move.run(rule.id, to, maskId);
  };
  return {
    announcement,
    moveTo,
    drag: setDragged,
    dragOver: setOver,
    drop: (to: number): void => {
      if (dragged) moveTo(dragged, to);
      setDragged(null);
      setOver(null);
    },
    isDropTarget: (index: number): boolean => dragged !== null && over === index,
  };
};

/** Lists the rules in the order of their evaluation; dragging or the arrow keys change it. */
export const RuleList = ({
  view,
  list: { id: maskId, rules: list },
  empty,
  onEdit,
  onFocusLost,
}: RuleListProps) => {
  const { rules } = useFeature(createRulesAndSync);
  const [toDelete, setToDelete] = useState<Rule | null>(null);
  const order = useRuleOrder(list, maskId);
  const applying = useLazyOpening<Rule>(applyDialog);
  const ApplyRuleDialog = applyDialog.loaded();
  const hintId = useId();
  const remove = useAction(rules.remove, {
    onSuccess: () => {
      setToDelete(null);
      onFocusLost();
    },
    onProblem: () => setToDelete(null),
  });
  useLoadedDestinations(list.map(({ rule }) => rule.updatedAt).join());

  return (
    <>
      {list.length === 0 ? (
        empty
      ) : (
        <ol className={styles.list} aria-label="Rules, in the order in which they run">
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
              isDropTarget={order.isDropTarget(index)}
              onEdit={() => onEdit(shown.rule)}
              onDelete={() => setToDelete(shown.rule)}
              onApply={
                view.masks.length > 1 && placeOfList(maskId) === null ? () => applying.open(shown.rule) : null
              }
              onMove={(to) => order.moveTo(shown.rule, to)}
              onDragStart={() => order.drag(shown.rule)}
              onDragOver={() => order.dragOver(index)}
              onDrop={() => order.drop(index)}
            />
          ))}
        </ol>
      )}
      <span id={hintId} hidden>
        Drag it, or press the up or down arrow. Enter opens a menu.
      </span>
      <span role="status" className="visually-hidden">
        {order.announcement}
      </span>
      {ApplyRuleDialog && applying.opened && (
        <GuardedDialog key={applying.opened.key} part="rule" onClose={applying.close}>
          <ApplyRuleDialog
            rules={[applying.opened.target]}
            maskId={maskId}
            isOpen={applying.isOpen}
            onClose={applying.close}
          />
        </GuardedDialog>
      )}
      <DeleteRuleDialog
        isOpen={toDelete !== null}
        isPending={remove.isRunning}
        onConfirm={() => toDelete && remove.run(toDelete.id, maskId)}
        onCancel={() => setToDelete(null)}
      />
    </>
  );
};

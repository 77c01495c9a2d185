import { useEffect, useState } from "react";
import type { Bulk } from "../../../core/bulk/bulk.ts";
import type { BulkChange } from "../../../core/bulk/bulkChange.ts";
import { createDestinations } from "../../../core/destinations/destinations.ts";
import { labelsOf, parseLabels } from "../../../core/labels/label.ts";
import { labelSuggestions } from "../../../core/labels/labelSuggestions.ts";
import type { Mask } from "../../../core/masks/mask.ts";
import { trashDays } from "../../../core/trash/trashEndpoints.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { TextField } from "../../ui/form/TextField.tsx";
import { ConfirmDialog } from "../../ui/overlay/ConfirmDialog.tsx";
import { FormDialog } from "../../ui/overlay/FormDialog.tsx";
import { MaskSelect } from "../masks/select/MaskSelect.tsx";

/** The questions asked before some masks are changed. */
export type BulkQuestion = "label" | "move" | "rules" | "delete";

interface BulkDialogProps {
  readonly question: BulkQuestion;
  readonly bulk: Bulk;
  readonly selected: readonly Mask[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const plural = (count: number): string => (count === 1 ? "1 mask" : `${count} masks`);

interface FormProps extends Omit<BulkDialogProps, "question"> {
  readonly run: (change: BulkChange) => void;
}

const LabelForm = ({ selected, isOpen, onClose, run }: FormProps) => {
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const [added, setAdded] = useState("");
  const [removed, setRemoved] = useState("");
  const add = parseLabels(added);
  const remove = parseLabels(removed);
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Label ${plural(selected.length)}`}
      onSubmit={() => run({ kind: "label", add, remove })}
      submitLabel="Label"
      isIncomplete={add.length === 0 && remove.length === 0}
    >
      <TextField
        label="Labels to add"
        value={added}
        onChange={setAdded}
        suggestions={labelSuggestions(added, labelsOf(all))}
        description="Separate labels with commas."
        autoFocus
      />
      <TextField
        label="Labels to remove"
        value={removed}
        onChange={setRemoved}
        suggestions={labelSuggestions(removed, labelsOf(selected))}
      />
    </FormDialog>
  );
};

const MoveForm = ({ selected, isOpen, onClose, run }: FormProps) => {
  const destinations = useFeature(createDestinations);
  const list = useObservable(destinations.list$);
  const load = useAction(destinations.refresh).run;
  useEffect(() => load(), [load]);
  const [forwardTo, setForwardTo] = useState("");
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Move ${plural(selected.length)}`}
      onSubmit={() => run({ kind: "move", forwardTo: forwardTo.trim() })}
      submitLabel="Move"
      isIncomplete={!forwardTo.includes("@")}
    >
      <TextField
        label="Forward to"
        type="email"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        value={forwardTo}
        onChange={setForwardTo}
        suggestions={(list ?? []).map(({ email }) => email)}
        description="A new address gets one email with a link to confirm it. Until then nothing is forwarded."
        autoFocus
      />
    </FormDialog>
  );
};

const RulesForm = ({ selected, isOpen, onClose, run }: FormProps) => {
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const withRules = all.filter(({ settings }) => (settings?.rules?.length ?? 0) > 0);
  const [from, setFrom] = useState(withRules[0]?.id);
  const rules = withRules.find(({ id }) => id === from)?.settings?.rules ?? [];
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Apply rules to ${plural(selected.length)}`}
      onSubmit={() => run({ kind: "addRules", rules: [...rules] })}
      submitLabel="Apply"
      isIncomplete={rules.length === 0}
    >
      {withRules.length === 0 ? (
        <p>None of your masks has rules yet.</p>
      ) : (
        <MaskSelect
          label="The rules of"
          value={from}
          onChange={setFrom}
          masks={withRules}
          describe={({ settings }) => `${settings?.rules?.length ?? 0} rules`}
          description="Added after the rules that a mask has."
        />
      )}
    </FormDialog>
  );
};

/** Asks what a change of the selected masks needs to know, and makes the change. */
export const BulkDialog = ({ question, ...props }: BulkDialogProps) => {
  const { bulk, selected, isOpen, onClose } = props;
  const run = (change: BulkChange): void => {
    onClose();
    void bulk.run(change)();
  };
  switch (question) {
    case "label":
      return <LabelForm {...props} run={run} />;
    case "move":
      return <MoveForm {...props} run={run} />;
    case "rules":
      return <RulesForm {...props} run={run} />;
    case "delete":
      return (
        <ConfirmDialog
          isOpen={isOpen}
          title={`Delete ${plural(selected.length)}?`}
          confirmLabel="Delete"
          isDanger
          onConfirm={() => run({ kind: "delete" })}
          onCancel={onClose}
        >
          <p>
            Mail to them is refused from now on. You can restore them with their rules and statistics for{" "}
            {trashDays} days.
          </p>
        </ConfirmDialog>
      );
    default:
      return question satisfies never;
  }
};

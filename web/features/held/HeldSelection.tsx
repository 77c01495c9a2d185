import { useState } from "react";
import type { Held } from "../../../core/held/held.ts";
import type { HeldMail } from "../../../core/held/heldMail.ts";
import { formatCount } from "../../format/numbers.ts";
import { useTask } from "../../react/useAction.ts";
import { useApp } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import type { Selection } from "../../react/useSelection.ts";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { ProgressBar } from "../../ui/feedback/ProgressBar.tsx";
import styles from "../../ui/layout/MailList.module.css";
import { SelectionBar } from "../../ui/layout/SelectionBar.tsx";
import { ConfirmDialog } from "../../ui/overlay/ConfirmDialog.tsx";
import { subjectOf } from "./heldTexts.ts";

type Decision = Parameters<Held["decideAll"]>[0];

interface DecisionTexts {
  readonly verb: string;
  readonly running: string;
  readonly failed: string;
  readonly explanation: string;
}

const texts: Readonly<Record<Decision, DecisionTexts>> = {
  release: {
    verb: "Release",
    running: "Releasing",
    failed: "These emails are still held:",
    explanation: "Each is sent to the address that it was for.",
  },
  delete: {
    verb: "Delete",
    running: "Deleting",
    failed: "These emails could not be deleted:",
    explanation: "They are in no other place. This cannot be undone.",
  },
};

interface HeldSelectionProps {
  readonly held: Held;
  readonly mails: readonly HeldMail[];
  readonly selection: Selection;
  readonly isDisabled: boolean;
  readonly onFocusLost: () => void;
}

/** Selects held mails and decides about all of them at once, after one question. */
export const HeldSelection = ({ held, mails, selection, isDisabled, onFocusLost }: HeldSelectionProps) => {
  const { progress, failures } = useObservable(held.batch$);
  const isNarrow = useObservable(useApp().page.narrow$);
  const [asked, setAsked] = useState<Decision | null>(null);
  const [decision, setDecision] = useState<Decision>("release");
  const chosen = mails.filter(({ id }) => selection.has(id));
  const decide = useTask(() => held.decideAll(decision, chosen));
  const ask = (next: Decision): void => {
    setDecision(next);
    setAsked(next);
  };
  const isBusy = progress !== null;
  const { verb, explanation, failed } = texts[decision];
  return (
    <>
      <SelectionBar
        label="Selected mail"
        count={chosen.length}
        isAll={selection.isAll}
        onSelectAll={selection.selectAll}
        isNarrow={isNarrow}
        actions={[
          { label: "Release selected", onPress: () => ask("release"), isDisabled: isDisabled || isBusy },
          {
            label: "Delete selected",
            onPress: () => ask("delete"),
            isDisabled: isDisabled || isBusy,
            isDanger: true,
          },
        ]}
      />
      {progress && (
        <ProgressBar
          label={`${texts[progress.decision].running} ${formatCount(progress.total, "email")}`}
          value={(100 * progress.done) / progress.total}
        />
      )}
      {failures.length > 0 && (
        <Banner kind="warning">
          {failed} {failures.map(({ mail, message }) => `“${subjectOf(mail)}”: ${message}`).join(" ")}
        </Banner>
      )}
      <ConfirmDialog
        isOpen={asked !== null}
        title={`${verb} ${formatCount(chosen.length, "email")}?`}
        confirmLabel={verb}
        isDanger={decision === "delete"}
        onConfirm={() => {
          setAsked(null);
          decide.run();
          onFocusLost();
        }}
        onCancel={() => setAsked(null)}
      >
        <p className={styles.text}>{explanation}</p>
      </ConfirmDialog>
    </>
  );
};

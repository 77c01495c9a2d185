import { useMemo, useState } from "react";
import { createRulesAndSync } from "../../../core/app/rulesAndSync.ts";
import type { RulesView } from "../../../core/rules/editing/rulesView.ts";
import {
  accountListId,
  accountListTexts,
  accountPlaces,
  allMasks,
} from "../../../core/rules/model/rulePlace.ts";
import { ruleSummary, summaryText } from "../../../core/rules/model/ruleSummary.ts";
import { exportSieve } from "../../../core/rules/sieve/exportSieve.ts";
import { type ImportedRule, importSieve } from "../../../core/rules/sieve/importSieve.ts";
import { maxScriptLength } from "../../../core/rules/sieve/sieveSyntax.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { FileButton, saveFile, useFileReader } from "../../ui/files.tsx";
import { Select } from "../../ui/form/Select.tsx";
import { Switch } from "../../ui/form/Switch.tsx";
import { TextArea } from "../../ui/form/TextArea.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import styles from "./testPanel/TestPanel.module.css";

interface SievePanelProps {
  readonly view: RulesView;
}

const Notes = ({ title, notes }: { readonly title: string; readonly notes: readonly string[] }) =>
  notes.length === 0 ? null : (
    <Banner kind="warning">
      {title}
      <ul>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Banner>
  );

const Export = ({ view }: SievePanelProps) => {
  const { before, after } = view.allMasks;
  const isMask = view.maskId !== allMasks;
  const hasOthers = isMask && before.length + after.length > 0;
  const [withOthers, setWithOthers] = useState(true);
  const own = view.rules.map(({ rule }) => rule);
  const rules = hasOthers && withOthers ? [...before, ...own, ...after] : own;
  const { script, notes } = exportSieve(rules);
  return (
    <div className={styles.input}>
      <h3>Export</h3>
      <p className={styles.saw}>
        The rules of {isMask ? "this mask" : "all masks, first those before and then those after,"} as a
        script for servers that filter mail with Sieve.
      </p>
      {hasOthers && (
        <Switch
          label="With the rules for all masks before and after them"
          isOn={withOthers}
          onChange={setWithOthers}
        />
      )}
      <Notes title="Not everything can be expressed in Sieve:" notes={notes} />
      <TextArea label="Sieve script" rows={12} isMonospace isReadOnly value={script} onChange={() => {}} />
      <ButtonRow>
        <Button size="small" onPress={() => saveFile("rules.sieve", script, "application/sieve")}>
          Save as a file
        </Button>
      </ButtonRow>
    </div>
  );
};

const Found = ({ rules }: { readonly rules: readonly ImportedRule[] }) => (
  <ol className={styles.rules} aria-label="Rules in the script">
    {rules.map((rule, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a rule of a script is identified by its index
      <li key={at} className={styles.rule}>
        <p className={styles.ruleName}>
          {rule.name}
          {rule.enabled ? "" : " (off)"}
        </p>
        <p className={styles.saw}>{summaryText(ruleSummary({ ...rule, id: "" }))}</p>
      </li>
    ))}
  </ol>
);

const Import = ({ view }: SievePanelProps) => {
  const [chosen, choose] = useState(view.lists[0]?.id);
  const listId = view.lists.find(({ id }) => id === chosen)?.id ?? view.lists[0]?.id ?? null;
  const { rules: editing } = useFeature(createRulesAndSync);
  const [script, setScript] = useState("");
  const file = useFileReader((chosen) => chosen.slice(0, maxScriptLength + 1).text(), setScript);
  const read = useMemo(() => (script.trim() === "" ? null : importSieve(script)), [script]);
  const add = useAction(editing.addAll, { onSuccess: () => setScript("") });
  const found = read?._tag === "Right" ? read.right : null;
  const count = found?.rules.length ?? 0;
  return (
    <div className={styles.result}>
      <h3>Import</h3>
      <TextArea
        label="Script"
        rows={8}
        isMonospace
        value={script}
        onChange={setScript}
        onFile={file.readFile}
        description="Paste a Sieve script, or drop a file here. Its rules come after those that are there."
      />
      {view.maskId === allMasks && (
        <Select
          label="Where its rules stand"
          value={listId ?? undefined}
          onChange={choose}
          options={accountPlaces.map((place) => ({
            value: accountListId(place),
            label: accountListTexts[place],
          }))}
        />
      )}
      <FileButton
        label="Choose a file"
        accept=".sieve,.siv,application/sieve,text/plain"
        size="small"
        onFile={file.readFile}
        error={file.error}
      />
      <div aria-live="polite" className={styles.result}>
        {read?._tag === "Left" && <Banner kind="error">{read.left}.</Banner>}
        {found && <Notes title="Not everything has a counterpart here:" notes={found.notes} />}
        {found && count === 0 && <p className={styles.saw}>There is no rule in this script.</p>}
        {found && count > 0 && <Found rules={found.rules} />}
      </div>
      <ProblemBanner problem={add.problem} />
      {found && count > 0 && (
        <ButtonRow>
          <Button
            variant="primary"
            size="small"
            isPending={add.isRunning}
            pendingLabel="Adding…"
            onPress={() => add.run(found.rules, listId)}
          >
            {count === 1 ? "Add 1 rule" : `Add ${count} rules`}
          </Button>
        </ButtonRow>
      )}
    </div>
  );
};

/** Shows the rules of a mask, or of all, as a Sieve script, and adds those of a script to them. */
export const SievePanel = ({ view }: SievePanelProps) => (
  <div className={styles.panel}>
    <Export view={view} />
    <Import view={view} />
  </div>
);

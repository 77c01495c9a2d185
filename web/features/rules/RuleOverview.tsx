import { useMemo, useState } from "react";
import { createRulesAndSync } from "../../../core/app/rulesAndSync.ts";
import { toSearchText } from "../../../core/kernel/searchText.ts";
import type { MaskRules } from "../../../core/rules/editing/maskRules.ts";
import type { RulesView } from "../../../core/rules/editing/rulesView.ts";
import type { Rule } from "../../../core/rules/model/rule.ts";
import { type RuleType, ruleTypeLabels, ruleTypes } from "../../../core/rules/model/ruleType.ts";
import { createChunk } from "../../loading/chunk.ts";
import { GuardedDialog } from "../../loading/Guarded.tsx";
import { useLazyOpening } from "../../loading/useOpening.ts";
import { addressText } from "../../navigation/address.ts";
import { useAction, useTask } from "../../react/useAction.ts";
import { useApp, useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { type Selection, useSelection } from "../../react/useSelection.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { Checkbox } from "../../ui/form/Checkbox.tsx";
import { type Chip, ChipGroup } from "../../ui/form/ChipGroup.tsx";
import { SearchField } from "../../ui/form/SearchField.tsx";
import { type OptionGroup, SearchSelect } from "../../ui/form/SearchSelect.tsx";
import { Select } from "../../ui/form/Select.tsx";
import { Switch } from "../../ui/form/Switch.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { EditIcon } from "../../ui/icons/EditIcon.tsx";
import { RulesIcon } from "../../ui/icons/RulesIcon.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { SelectionBar } from "../../ui/layout/SelectionBar.tsx";
import { ConfirmDialog } from "../../ui/overlay/ConfirmDialog.tsx";
import { NoRules } from "./NoRules.tsx";
import {
  filterRules,
  nameOfList,
  noFilter,
  type OverviewFilter,
  type OverviewRule,
  overviewRules,
} from "./overviewFilter.ts";
import { describeUsage, RuleSummary } from "./RuleCard.tsx";
import styles from "./RuleOverview.module.css";

interface RuleOverviewProps {
  readonly view: RulesView;
  readonly onCreate: () => void;
  readonly onEdit: (listId: string, rule: Rule) => void;
  readonly onFocusLost: () => void;
}

const applyDialog = createChunk(
  () => import("./form/ApplyRuleDialog.tsx"),
  (module) => module.ApplyRuleDialog,
);

/** The number of rules that are shown at first, and that are added each time. */
const shownAtOnce = 50;

const countRules = (count: number): string => (count === 1 ? "1 rule" : `${count} rules`);

interface FilterProps {
  readonly view: RulesView;
  readonly all: readonly OverviewRule[];
  readonly filter: OverviewFilter;
  readonly onChange: (filter: OverviewFilter) => void;
}

const listGroups = (view: RulesView, all: readonly OverviewRule[]): readonly OptionGroup<string>[] => {
  const lists = [...new Set(all.map(({ listId }) => listId))];
  const addresses = new Map(all.map(({ listId, address }) => [listId, address]));
  return [
    { title: "Everything", options: [{ value: "", label: "Any mask" }] },
    {
      title: "Rules of",
      options: lists.map((listId) => ({
        value: listId,
        label: nameOfList(view, listId),
        description: addresses.get(listId) || undefined,
        keywords: addresses.get(listId),
      })),
    },
  ];
};

const typeOptions: readonly { readonly value: RuleType | "any"; readonly label: string }[] = [
  { value: "any", label: "Any type" },
  ...ruleTypes.map((type) => ({ value: type, label: ruleTypeLabels[type] })),
];

const states: readonly Chip<OverviewFilter["state"]>[] = [
  { value: "all", label: "All" },
  { value: "on", label: "On" },
  { value: "off", label: "Off" },
];

const Filters = ({ view, all, filter, onChange }: FilterProps) => (
  <div className={styles.filters}>
    <SearchField
      label="Search the rules"
      placeholder="Search names, conditions, masks"
      value={filter.text}
      onChange={(text) => onChange({ ...filter, text })}
    />
    <div className={styles.choices}>
      <SearchSelect
        label="Rules of"
        isLabelHidden
        searchLabel="Search the masks"
        fold={toSearchText}
        value={filter.listId}
        onChange={(listId) => onChange({ ...filter, listId })}
        groups={listGroups(view, all)}
      />
      <Select
        label="Type of rule"
        isLabelHidden
        value={filter.type === "" ? "any" : filter.type}
        onChange={(type) => onChange({ ...filter, type: type === "any" ? "" : type })}
        options={typeOptions}
      />
      <ChipGroup
        label="State"
        chips={states}
        value={filter.state}
        onChange={(state) => onChange({ ...filter, state })}
      />
    </div>
  </div>
);

interface RowProps {
  readonly shown: OverviewRule;
  readonly rules: MaskRules;
  readonly detailsProblem: string | null;
  readonly selection: Selection;
  readonly onEdit: () => void;
}

const Row = ({ shown, rules, detailsProblem, selection, onEdit }: RowProps) => {
  const { key, rule, listId, place, isLocal } = shown;
  const toggle = useAction(rules.setEnabled);
  const name = `${rule.name} of ${place}`;
  return (
    <li className={styles.row} aria-label={name}>
      <Checkbox
        label={<span className="visually-hidden">Select {name}</span>}
        isChecked={selection.has(key)}
        onChange={(isSelected, isRange) => selection.toggle(key, isSelected, isRange)}
      />
      <div className={styles.words}>
        <div className={styles.head}>
          <h2 className={styles.name}>{rule.name}</h2>
          <Badge>{ruleTypeLabels[rule.type]}</Badge>
          {isLocal && <Badge kind="warning">Local only</Badge>}
        </div>
        <RuleSummary rule={rule} />
        <div className={styles.facts}>
          <ButtonRow startsQuiet>
            <ButtonLink
              size="small"
              variant="quiet"
              aria-label={`Show the rules of ${place}`}
              href={addressText(["rules", listId])}
              onFollow={() => rules.select(listId)}
            >
              {place}
            </ButtonLink>
            <span>{describeUsage(shown, detailsProblem)}</span>
          </ButtonRow>
        </div>
      </div>
      <div className={styles.controls}>
        <Switch
          label={`${name} is on`}
          isLabelHidden
          isOn={rule.enabled}
          isPending={toggle.isRunning}
          onChange={(on) => toggle.run(rule.id, on, listId)}
        />
        <IconButton label={`Edit ${name}`} icon={<EditIcon size={18} />} onPress={onEdit} />
      </div>
    </li>
  );
};

interface SelectedProps {
  readonly chosen: readonly OverviewRule[];
  readonly selection: Selection;
  readonly rules: MaskRules;
  readonly hasMasks: boolean;
  readonly onFocusLost: () => void;
}

/** Selects rules, and what can be done with the selected ones. */
const SelectedRules = ({ chosen, selection, rules, hasMasks, onFocusLost }: SelectedProps) => {
  const isNarrow = useObservable(useApp().page.narrow$);
  const [isAsking, setAsking] = useState(false);
  const applying = useLazyOpening<readonly Rule[]>(applyDialog);
  const ApplyRuleDialog = applyDialog.loaded();
  const refs = chosen.map(({ listId, rule }) => ({ listId, id: rule.id }));
  const switchOn = useTask(() => rules.switchAll(refs, true));
  const switchOff = useTask(() => rules.switchAll(refs, false));
  const remove = useTask(() => rules.removeAll(refs));
  const isBusy = switchOn.isRunning || switchOff.isRunning || remove.isRunning;
  return (
    <>
      <SelectionBar
        label="Selected rules"
        count={chosen.length}
        isAll={selection.isAll}
        onSelectAll={selection.selectAll}
        isNarrow={isNarrow}
        actions={[
          {
            label: "Switch on",
            onPress: switchOn.run,
            isPending: switchOn.isRunning,
            isDisabled: isBusy,
          },
          {
            label: "Switch off",
            onPress: switchOff.run,
            isPending: switchOff.isRunning,
            isDisabled: isBusy,
          },
          ...(hasMasks
            ? [
                {
                  label: "Apply to masks",
                  onPress: () => applying.open(chosen.map(({ rule }) => rule)),
                  isDisabled: isBusy || chosen.some(({ isLocal }) => isLocal),
                },
              ]
            : []),
          { label: "Delete", onPress: () => setAsking(true), isDisabled: isBusy, isDanger: true },
        ]}
      />
      <ConfirmDialog
        isOpen={isAsking}
        title={`Delete ${countRules(chosen.length)}?`}
        confirmLabel="Delete"
        isDanger
        onConfirm={() => {
          setAsking(false);
          remove.run();
          onFocusLost();
        }}
        onCancel={() => setAsking(false)}
      >
        <p>The message that follows offers to undo this for some seconds.</p>
      </ConfirmDialog>
      {ApplyRuleDialog && applying.opened && (
        <GuardedDialog key={applying.opened.key} part="rules" onClose={applying.close}>
          <ApplyRuleDialog
            rules={applying.opened.target}
            maskId={null}
            isOpen={applying.isOpen}
            onClose={applying.close}
          />
        </GuardedDialog>
      )}
    </>
  );
};

/** All rules of all masks, and those for all masks: searched, narrowed and changed several at once. */
export const RuleOverview = ({ view, onCreate, onEdit, onFocusLost }: RuleOverviewProps) => {
  const { rules } = useFeature(createRulesAndSync);
  const [filter, setFilter] = useState(noFilter);
  const [limit, setLimit] = useState(shownAtOnce);
  const all = useMemo(() => overviewRules(view), [view]);
  const found = useMemo(() => filterRules(all, filter), [all, filter]);
  const selection = useSelection(found.map(({ key }) => key));
  const chosen = found.filter(({ key }) => selection.has(key));
  const change = (next: OverviewFilter): void => {
    setFilter(next);
    setLimit(shownAtOnce);
  };
  if (all.length === 0)
    return (
      <NoRules title="No rules yet." onAdd={onCreate}>
        {view.allMasks.status === "ready" && "All mail is forwarded. "}A rule decides what happens to some of
        it, for one mask or for all.
      </NoRules>
    );
  return (
    <>
      <Filters view={view} all={all} filter={filter} onChange={change} />
      {found.length === 0 ? (
        <EmptyState
          title="No matching rules."
          illustration={<RulesIcon size={32} />}
          action={<Button onPress={() => change(noFilter)}>Show all rules</Button>}
        >
          Search for a part of a name, of a condition or of a mask.
        </EmptyState>
      ) : (
        <>
          <SelectedRules
            chosen={chosen}
            selection={selection}
            rules={rules}
            hasMasks={view.masks.length > 0}
            onFocusLost={onFocusLost}
          />
          <Card padding="none">
            <ul className={styles.list} aria-label="All rules">
              {found.slice(0, limit).map((shown) => (
                <Row
                  key={shown.key}
                  shown={shown}
                  rules={rules}
                  detailsProblem={view.detailsProblem}
                  selection={selection}
                  onEdit={() => onEdit(shown.listId, shown.rule)}
                />
              ))}
            </ul>
          </Card>
          {found.length > limit && (
            <div className={styles.more}>
              <Button onPress={() => setLimit(limit + shownAtOnce)}>
                Show more ({found.length - limit} left)
              </Button>
            </div>
          )}
        </>
      )}
    </>
  );
};

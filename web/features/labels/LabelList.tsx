import { useEffect, useRef, useState } from "react";
import { toSearchText } from "../../../core/kernel/searchText.ts";
import type { Label } from "../../../core/labels/labelEndpoints.ts";
import type { MaskLabels } from "../../../core/labels/labels.ts";
import { useFormAction } from "../../react/useAction.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Checkbox } from "../../ui/form/Checkbox.tsx";
import { SearchField } from "../../ui/form/SearchField.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { EditIcon } from "../../ui/icons/EditIcon.tsx";
import { TrashIcon } from "../../ui/icons/TrashIcon.tsx";
import styles from "../../ui/layout/DialogBody.module.css";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { Tag } from "../../ui/Tag.tsx";
import { LabelForm, type LabelFormProps } from "./LabelForm.tsx";
import own from "./LabelList.module.css";

/** More labels than these have a field that finds one. */
const fewLabels = 10;

const maskCount = (masks: number): string => (masks === 1 ? "1 mask" : `${masks} masks`);

/** Asks in place of the row, so that the list stays where it is. */
const DeleteQuestion = ({ labels, label, onClose }: LabelFormProps) => {
  const { name, masks } = label;
  const remove = useFormAction(labels.remove, { onSuccess: onClose });
  return (
    <div role="alertdialog" aria-label={`Delete label ${name}?`} className={styles.stack}>
      <p>
        Delete “{name}”? It is taken from {maskCount(masks)}, and from deleted ones. The masks stay. This
        cannot be undone.
      </p>
      <ProblemBanner problem={remove.problem} />
      <ButtonRow>
        <Button variant="danger" isPending={remove.isRunning} onPress={() => remove.run(name)}>
          Delete
        </Button>
        <Button onPress={onClose} isDisabled={remove.isRunning} autoFocus>
          Cancel
        </Button>
      </ButtonRow>
    </div>
  );
};

interface LabelRowProps {
  readonly label: Label;
  readonly isDisabled: boolean;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
  readonly onOpen: (kind: "edit" | "delete") => void;
}

const LabelRow = ({ label, isDisabled, isChosen, onChoose, onOpen }: LabelRowProps) => (
  <>
    <Checkbox
      label={<Tag name={label.name} color={label.color} />}
      isChecked={isChosen}
      onChange={onChoose}
      description={maskCount(label.masks)}
    />
    <span className={own.actions}>
      <IconButton
        size="small"
        label={`Edit label ${label.name}`}
        icon={<EditIcon size={18} />}
        isDisabled={isDisabled}
        onPress={() => onOpen("edit")}
      />
      <IconButton
        size="small"
        label={`Delete label ${label.name}`}
        icon={<TrashIcon size={18} />}
        isDisabled={isDisabled}
        onPress={() => onOpen("delete")}
      />
    </span>
  </>
);

interface LabelListProps {
  readonly labels: MaskLabels;
  readonly list: readonly Label[];
  readonly chosen: readonly string[];
  readonly isDisabled: boolean;
  readonly onChoose: (chosen: readonly string[]) => void;
}

/** Lists the labels: each can be chosen, and opens its form or the question whether to delete it in its own place. */
export const LabelList = ({ labels, list, chosen, isDisabled, onChoose }: LabelListProps) => {
  const [search, setSearch] = useState("");
  const [opened, setOpened] = useState<{ readonly name: string; readonly kind: "edit" | "delete" } | null>(
    null,
  );
  const close = (): void => setOpened(null);
  const container = useRef<HTMLDivElement>(null);
  // A label leaves the list with the question about it, before that can end.
  const isGone = opened !== null && !list.some(({ name }) => name === opened.name);
  useEffect(() => {
    if (isGone) setOpened(null);
  }, [isGone]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a closed form has lost the focus
  useEffect(() => {
    if (document.activeElement === document.body) container.current?.focus();
  }, [opened]);
  const wanted = toSearchText(search.trim());
  const found = list.filter(({ name }) => toSearchText(name).includes(wanted));
  return (
    <div ref={container} tabIndex={-1} className={styles.stack}>
      {list.length > fewLabels && (
        <SearchField label="Find a label" placeholder="Find a label" value={search} onChange={setSearch} />
      )}
      {found.length === 0 && <EmptyState title={list.length === 0 ? "No labels yet" : "No label found"} />}
      {found.length > 0 && (
        <ul className={own.labels} aria-label="Labels">
          {found.map((label) => (
            <li key={label.name} className={opened?.name === label.name ? own.open : own.label}>
              {opened?.name === label.name && opened.kind === "edit" && (
                <LabelForm labels={labels} label={label} onClose={close} />
              )}
              {opened?.name === label.name && opened.kind === "delete" && (
                <DeleteQuestion labels={labels} label={label} onClose={close} />
              )}
              {opened?.name !== label.name && (
                <LabelRow
                  label={label}
                  isDisabled={isDisabled}
                  isChosen={chosen.includes(label.name)}
                  onChoose={(isChosen) =>
                    onChoose(
                      isChosen ? [...chosen, label.name] : chosen.filter((name) => name !== label.name),
                    )
                  }
                  onOpen={(kind) => setOpened({ name: label.name, kind })}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};

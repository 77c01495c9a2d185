import { useEffect, useRef, useState } from "react";
import { toSearchText } from "../../../core/kernel/searchText.ts";
import type { Label, LabelColor } from "../../../core/labels/labelEndpoints.ts";
import { createMaskLabels, type MaskLabels } from "../../../core/labels/labels.ts";
import { labelSearch } from "../../../core/masks/maskSearch.ts";
import { OutdatedNotice } from "../../loading/OutdatedNotice.tsx";
import { fieldMessage, useFormAction } from "../../react/useAction.ts";
import { useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import { Checkbox } from "../../ui/form/Checkbox.tsx";
import { SearchField } from "../../ui/form/SearchField.tsx";
import { Select, type SelectOption } from "../../ui/form/Select.tsx";
import { TextField } from "../../ui/form/TextField.tsx";
import styles from "../../ui/layout/DialogBody.module.css";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { Dialog } from "../../ui/overlay/Dialog.tsx";
import own from "./LabelsDialog.module.css";
import { labelEdge } from "./labelEdge.ts";
import { NewLabel } from "./NewLabel.tsx";

const colors: readonly SelectOption<LabelColor>[] = [
  { value: "gray", label: "Gray" },
  { value: "teal", label: "Teal" },
  { value: "blue", label: "Blue" },
  { value: "purple", label: "Purple" },
  { value: "green", label: "Green" },
  { value: "amber", label: "Amber" },
  { value: "red", label: "Red" },
];

/** More labels than these have a field that finds one. */
const fewLabels = 10;

const maskCount = (masks: number): string => (masks === 1 ? "1 mask" : `${masks} masks`);

interface LabelFormProps {
  readonly labels: MaskLabels;
  readonly label: Label;
  readonly onClose: () => void;
}

/** Renames and colors a label; a name that another label has merges the two after a second press. */
const LabelForm = ({ labels, label, onClose }: LabelFormProps) => {
  const [name, setName] = useState(label.name);
  const [color, setColor] = useState(label.color);
  const edit = useFormAction(labels.edit, { onSuccess: onClose });
  const taken = edit.problem?.failure.kind === "refused" && edit.problem.failure.status === 409;
  const save = (merge: boolean): void =>
    edit.run(label.name, {
      ...(name !== label.name && { name }),
      ...(color !== label.color && { color }),
      ...(merge && { merge }),
    });
  const nameProblem = fieldMessage(edit.problem, "name");
  return (
    <form
      className={styles.stack}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        save(false);
      }}
    >
      <TextField
        label="Name"
        value={name}
        onChange={(value) => {
          setName(value);
          edit.clearProblem();
        }}
        error={nameProblem}
        maxLength={40}
        autoComplete="off"
        autoFocus
      />
      <Select label="Color" options={colors} value={color} onChange={setColor} />
      {nameProblem === undefined && <ProblemBanner problem={edit.problem} />}
      <ButtonRow>
        {taken ? (
          <Button variant="primary" isPending={edit.isRunning} onPress={() => save(true)}>
            Merge with {name.trim()}
          </Button>
        ) : (
          <Button type="submit" variant="primary" isPending={edit.isRunning}>
            Save
          </Button>
        )}
        <Button onPress={onClose} isDisabled={edit.isRunning}>
          Cancel
        </Button>
      </ButtonRow>
    </form>
  );
};

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
      label={<span style={labelEdge(label.color)}>{label.name}</span>}
      isChecked={isChosen}
      onChange={onChoose}
      description={maskCount(label.masks)}
    />
    <ButtonRow>
      <Button
        size="small"
        aria-label={`Edit label ${label.name}`}
        isDisabled={isDisabled}
        onPress={() => onOpen("edit")}
      >
        Edit
      </Button>
      <Button
        size="small"
        variant="quietDanger"
        aria-label={`Delete label ${label.name}`}
        isDisabled={isDisabled}
        onPress={() => onOpen("delete")}
      >
        Delete
      </Button>
    </ButtonRow>
  </>
);

interface LabelListProps {
  readonly labels: MaskLabels;
  readonly list: readonly Label[];
  readonly chosen: readonly string[];
  readonly isDisabled: boolean;
  readonly onChoose: (chosen: readonly string[]) => void;
}

const LabelList = ({ labels, list, chosen, isDisabled, onChoose }: LabelListProps) => {
  const [search, setSearch] = useState("");
  const [opened, setOpened] = useState<{ readonly name: string; readonly kind: "edit" | "delete" } | null>(
    null,
  );
  const close = (): void => setOpened(null);
  const container = useRef<HTMLDivElement>(null);
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
        <ul className={styles.stack} aria-label="Labels">
          {found.map((label) => (
            <li key={label.name} className={own.label}>
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

interface LabelsDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Lists the labels: shows the masks that have several of them, renames, merges, colors and deletes them. */
export const LabelsDialog = ({ isOpen, onClose }: LabelsDialogProps) => {
  const { masks } = useSignedIn();
  const labels = useFeature(createMaskLabels);
  const list = useObservable(labels.list$);
  const outdated = useObservable(labels.outdated$);
  const load = useFormAction(labels.refresh);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { run: refresh } = load;
  useEffect(() => refresh(), [refresh]);
  const shown = chosen.filter((name) => list?.some((label) => label.name === name));
  const show = (): void => {
    masks.show({ search: shown.map(labelSearch).join(" ") });
    onClose();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Labels"
      footer={
        <>
          <Button onPress={onClose}>Done</Button>
          <Button variant="primary" onPress={show} isDisabled={shown.length === 0}>
            Show masks
          </Button>
        </>
      }
    >
      <div className={styles.stack}>
        <p>Choose labels to show the masks that have all of them.</p>
        <ProblemBanner
          problem={load.problem}
          action={
            <Button size="small" onPress={() => refresh()} isPending={load.isRunning}>
              Try Again
            </Button>
          }
        />
        {list === null && !load.problem && (
          <SkeletonRegion label="Loading the labels">
            <Skeleton height="6rem" shape="block" />
          </SkeletonRegion>
        )}
        {list !== null && (
          <>
            <OutdatedNotice outdated={outdated} onRefresh={() => refresh()} isRefreshing={load.isRunning} />
            <NewLabel labels={labels} isDisabled={outdated !== null} />
            <LabelList
              labels={labels}
              list={list}
              chosen={shown}
              isDisabled={outdated !== null}
              onChoose={setChosen}
            />
          </>
        )}
      </div>
    </Dialog>
  );
};

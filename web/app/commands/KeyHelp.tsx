import type { SingleKeys } from "../../../core/singleKeys/singleKeys.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { Switch } from "../../ui/form/Switch.tsx";
import rows from "../../ui/layout/Rows.module.css";
import { Dialog } from "../../ui/overlay/Dialog.tsx";

const everywhere = [
  ["Ctrl K or ⌘ K", "Find a mask, a label, a screen or an action"],
  ["?", "Show these keys"],
  ["n", "Create a mask"],
  ["r", "Create a random mask and copy its address"],
  ["/", "Search the masks"],
  ["s", "Select several masks"],
  ["j and k", "Go to the next mask in the list, and to the one before"],
  ["Enter", "On the name of a mask: open its page"],
  ["F2", "On the name of a mask: change its description there; Enter saves, Esc does not"],
  ["e", "In a row: edit the mask"],
  ["c", "In a row: copy its address"],
  ["Space", "In a row: select the mask; with Shift and an arrow key those on the way"],
  ["v", "Sort the masks and choose how they are shown"],
  ["g", "Go to a screen, as Ctrl K does"],
] as const;

const searches = [
  [
    "to:work label:shops",
    "Masks that forward to an address with “work” and have a label that begins with “shops”",
  ],
  ["is:off, is:pinned, is:unused", "Masks that are switched off, pinned, or without any mail"],
  ["before:2026-01-31", "Masks made before a day; after: those made since"],
  ["-label:shops", "Masks without it"],
] as const;

const Table = ({
  title,
  entries,
}: {
  readonly title: string;
  readonly entries: readonly (readonly [string, string])[];
}) => (
  <>
    <h3>{title}</h3>
    <dl className={rows.rows}>
      {entries.map(([term, text]) => (
        <div key={term} className={rows.row}>
          <dt>
            <kbd>{term}</kbd>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </>
);

interface KeyHelpProps {
  readonly keys: SingleKeys;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Lists the keys and the fields of the search, and switches the single keys off. */
export const KeyHelp = ({ keys, isOpen, onClose }: KeyHelpProps) => {
  const isOn = useObservable(keys.isOn$);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Keys and search"
      footer={
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      }
    >
      <Switch
        label="Single keys"
        description="Switch them off if you speak to your computer or press keys by accident. Ctrl K stays."
        isOn={isOn}
        onChange={keys.setOn}
      />
      <Table title="Keys, while you do not type" entries={everywhere} />
      <Table title="In the search" entries={searches} />
    </Dialog>
  );
};

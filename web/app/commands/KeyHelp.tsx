import { Fragment, type ReactNode } from "react";
import type { SingleKeys } from "../../../core/singleKeys/singleKeys.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { Switch } from "../../ui/form/Switch.tsx";
import { Keycaps } from "../../ui/Keycaps.tsx";
import { Dialog } from "../../ui/overlay/Dialog.tsx";
import { commandKey } from "./commandKey.ts";
import styles from "./KeyHelp.module.css";

/** Keys that do the same stand side by side; those pressed together are one text with a space. */
const everywhere: readonly (readonly [keys: readonly string[], text: string])[] = [
  [[commandKey("K"), "g"], "Find a mask, a label, a screen or an action"],
  [["?"], "Show these keys"],
  [["n"], "Create a mask"],
  [["r"], "Create a random mask and copy its address"],
  [["/"], "Search the masks"],
  [["s"], "Select several masks"],
  [["j", "k"], "Go to the next mask in the list, or to the one before"],
  [["Enter"], "On the name of a mask: open its page"],
  [["F2"], "On the name of a mask: change its description there; Enter saves, Esc cancels"],
  [["e"], "In a row: edit the mask"],
  [["c"], "In a row: copy its address"],
  [["Space"], "In a row: select the mask; with Shift and an arrow key those on the way"],
  [["v"], "Sort the masks and choose how they are shown"],
];

const searches = [
  [
    "to:work label:shops",
    "Masks that forward to an address with “work” and have a label that begins with “shops”",
  ],
  ["is:off, is:pinned, is:unused", "Masks that are switched off, pinned, or without any mail"],
  ["site:shop.example", "Masks for a site"],
  ["before:2026-01-31", "Masks created before a day; after: those created since"],
  ["-label:shops", "Masks without it"],
] as const;

interface TableProps {
  readonly title: string;
  readonly entries: readonly (readonly [term: ReactNode, text: string])[];
}

const Table = ({ title, entries }: TableProps) => (
  <section className={styles.table}>
    <h3>{title}</h3>
    <dl>
      {entries.map(([term, text]) => (
        <div key={text} className={styles.row}>
          <dt>{term}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </section>
);

const caps = (keys: readonly string[]): ReactNode =>
  keys.map((one, at) => (
    <Fragment key={one}>
      {at > 0 && " or "}
      <Keycaps keys={one} />
    </Fragment>
  ));

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
        description="Switch them off if you speak to your computer or press keys by accident. Ctrl K and ⌘ K stay."
        isOn={isOn}
        onChange={keys.setOn}
      />
      <Table title="Shortcuts" entries={everywhere.map(([keys, text]) => [caps(keys), text] as const)} />
      <Table
        title="In the search"
        entries={searches.map(([term, text]) => [<code key={term}>{term}</code>, text] as const)}
      />
    </Dialog>
  );
};

import { type KeyboardEvent, useId, useState } from "react";
import { useAfterClosing } from "../../loading/useOpening.ts";
import field from "../../ui/form/Field.module.css";
import search from "../../ui/form/TextField.module.css";
import { Dialog } from "../../ui/overlay/Dialog.tsx";
import popup from "../../ui/overlay/Popup.module.css";
import { type Command, useCommandList } from "./useCommandList.ts";

interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onHelp: () => void;
}

/** Finds masks, labels, screens and actions by what is typed; Up and Down choose, Enter goes there. */
export const Palette = ({ isOpen, onClose, onHelp }: PaletteProps) => {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const listId = useId();
  const openHelp = useAfterClosing(isOpen, onHelp);
  const commands = useCommandList(text, openHelp);
  const chosen = Math.min(at, commands.length - 1);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    command.run();
    onClose();
  };
  const handleKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((chosen + step + commands.length) % Math.max(1, commands.length));
    else if (event.key === "Enter") run(commands[chosen]);
    else return;
    event.preventDefault();
  };
  const optionId = (index: number): string => `${listId}-${index}`;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Go to">
      <div className={field.box}>
        <input
          className={search.input}
          role="combobox"
          aria-label="Find a mask, a label, a screen or an action"
          aria-expanded={commands.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={commands.length > 0 ? optionId(chosen) : undefined}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={handleKey}
        />
      </div>
      <div id={listId} role="listbox" aria-label="Found" className={popup.list}>
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the focus and its keys choose an option
          <div
            key={command.id}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            data-focused={index === chosen ? "" : undefined}
            className={popup.item}
            onClick={() => run(command)}
          >
            <span className={popup.option}>
              {command.label}
              <span className={popup.optionDescription}>{command.detail}</span>
            </span>
          </div>
        ))}
      </div>
      <p role="status" className={commands.length > 0 ? "visually-hidden" : undefined}>
        {commands.length === 0 ? "Nothing found" : `${commands.length} found`}
      </p>
    </Dialog>
  );
};

import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useAfterClosing } from "../../loading/useOpening.ts";
import { focusOnMasks } from "../../navigation/goTo.ts";
import { classes } from "../../ui/classes.ts";
import field from "../../ui/form/Field.module.css";
import select from "../../ui/form/SearchSelect.module.css";
import search from "../../ui/form/TextField.module.css";
import { SearchIcon } from "../../ui/icons/SearchIcon.tsx";
import { KeyHint } from "../../ui/Keycaps.tsx";
import { Dialog } from "../../ui/overlay/Dialog.tsx";
import popup from "../../ui/overlay/Popup.module.css";
import styles from "./Palette.module.css";
import { type Command, createNamed, type LaterCommands, useCommandList } from "./useCommandList.tsx";

interface OptionProps {
  readonly id: string;
  readonly command: Command;
  readonly isChosen: boolean;
  readonly onRun: () => void;
}

const Option = ({ id, command, isChosen, onRun }: OptionProps) => {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) option.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the focus and its keys choose an option
    <div
      ref={option}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      data-focused={isChosen ? "" : undefined}
      className={classes(popup.item, styles.option)}
      onClick={onRun}
    >
      <span className={popup.icon}>{command.icon}</span>
      <span className={styles.label}>{command.label}</span>
      {command.detail !== undefined && <span className={styles.detail}>{command.detail}</span>}
      {command.keys !== undefined && (
        <span className={styles.keys} aria-hidden="true">
          <KeyHint keys={command.keys} />
        </span>
      )}
    </div>
  );
};

const searchMasks = (): void => focusOnMasks("search");
const selectMasks = (): void => focusOnMasks("selection");

interface PaletteProps extends Pick<LaterCommands, "onHelp" | "onLogOut"> {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Finds masks, labels, screens and actions by what is typed; Up and Down choose, Enter goes there. */
export const Palette = ({ isOpen, onClose, onHelp, onLogOut }: PaletteProps) => {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const listId = useId();
  const groups = useCommandList(text, {
    onHelp: useAfterClosing(isOpen, onHelp),
    onLogOut: useAfterClosing(isOpen, onLogOut),
    onSearch: useAfterClosing(isOpen, searchMasks),
    onSelect: useAfterClosing(isOpen, selectMasks),
  });
  const commands = groups.flatMap((group) => group.commands);
  const isNothing = commands.length === 0 || commands[0]?.id === createNamed;
  const chosen = Math.min(at, commands.length - 1);
  const type = (typed: string): void => {
    setText(typed);
    setAt(0);
  };
  const run = (command: Command | undefined): void => {
    if (command?.question !== undefined) type(command.question);
    else if (command !== undefined) {
      command.run();
      onClose();
    }
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
    <Dialog isOpen={isOpen} onClose={onClose} title="Go to" isFixed>
      <div className={styles.search}>
        <div className={field.box}>
          <span className={search.affix}>
            <SearchIcon size={18} />
          </span>
          <input
            className={search.input}
            role="combobox"
            aria-label="Find a mask, a label, a screen or an action"
            placeholder="Masks, labels, screens, actions"
            aria-expanded={commands.length > 0}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={commands.length > 0 ? optionId(chosen) : undefined}
            autoComplete="off"
            spellCheck={false}
            autoFocus
            value={text}
            onChange={(event) => type(event.currentTarget.value)}
            onKeyDown={handleKey}
          />
        </div>
      </div>
      <p role="status" className={isNothing ? undefined : "visually-hidden"}>
        {isNothing ? "Nothing found" : `${commands.length} found`}
      </p>
      <div id={listId} role="listbox" aria-label="Found" className={styles.list}>
        {groups.map(({ title, commands: entries }) => (
          // biome-ignore lint/a11y/useSemanticElements: options of a listbox are grouped by a role, not by a fieldset
          <div key={title} role="group" aria-label={title}>
            <div className={select.title} aria-hidden="true">
              {title}
            </div>
            {entries.map((command) => {
              const index = commands.indexOf(command);
              return (
                <Option
                  key={command.id}
                  id={optionId(index)}
                  command={command}
                  isChosen={index === chosen}
                  onRun={() => run(command)}
                />
              );
            })}
          </div>
        ))}
      </div>
    </Dialog>
  );
};

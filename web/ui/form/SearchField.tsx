import { type KeyboardEvent, type Ref, useId, useRef } from "react";
import { classes } from "../classes.ts";
import { CloseIcon } from "../icons/CloseIcon.tsx";
import { SearchIcon } from "../icons/SearchIcon.tsx";
import field from "./Field.module.css";
import styles from "./SearchField.module.css";

export interface SearchFieldProps {
  /** The accessible name; not visible. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string | undefined;
  readonly className?: string | undefined;
  readonly ref?: Ref<HTMLInputElement> | undefined;
}

/** A search box. Its clear button and the Escape key empty it and keep the focus in the box. */
export const SearchField = ({ label, value, onChange, placeholder, className, ref }: SearchFieldProps) => {
  const fieldId = useId();
  const box = useRef<HTMLDivElement>(null);

  const clear = (): void => {
    onChange("");
    box.current?.querySelector("input")?.focus();
  };

  const clearOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || value === "") return;
    event.preventDefault();
    event.stopPropagation();
    clear();
  };

  return (
    <div className={classes(field.box, styles.search, className)} ref={box}>
      <label className="visually-hidden" htmlFor={fieldId}>
        {label}
      </label>
      <SearchIcon className={styles.icon} size={18} />
      <input
        id={fieldId}
        ref={ref}
        className={styles.input}
        type="search"
        value={value}
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={clearOnEscape}
      />
      {value !== "" && (
        <button type="button" className={styles.clear} aria-label="Clear search" onClick={clear}>
          <CloseIcon size={16} />
        </button>
      )}
    </div>
  );
};

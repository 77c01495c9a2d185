import { type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from "react";
import styles from "./CodeField.module.css";
import { classes } from "./classes.ts";
import field from "./Field.module.css";
import { describedBy, FieldNotes } from "./FieldNotes.tsx";

export interface CodeFieldProps {
  readonly label: string;
  /** The digits entered so far. */
  readonly value: string;
  /** Called with digits only, at most `length` of them, whatever was typed or pasted. */
  readonly onChange: (value: string) => void;
  /** Called once the last digit is there. */
  readonly onComplete?: ((value: string) => void) | undefined;
  readonly length?: number | undefined;
  readonly description?: string | undefined;
  readonly error?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly autoFocus?: boolean | undefined;
  readonly name?: string | undefined;
  readonly ref?: Ref<HTMLInputElement> | undefined;
}

interface Selection {
  readonly start: number;
  readonly end: number;
}

/** What a decimal digit of any script is worth: the ten of a script follow one another from its zero. */
const worthOf = (digit: string): string => {
  let before = (digit.codePointAt(0) ?? 0) - 1;
  let worth = 0;
  for (; /\p{Nd}/u.test(String.fromCodePoint(before)); before -= 1) worth += 1;
  return String(worth % 10);
};

/**
 * The code in a text, in ASCII digits, at most `length` of them: a word of just so many digits if there is one, else
 * a run of them, else whatever digits there are. "At 127.0.0.1:4100: 123 456." gives "123456".
 */
export const digitsIn = (text: string, length: number): string => {
  const plain = text.normalize("NFKC").replace(/\p{Nd}/gu, worthOf);
  const half = Math.floor(length / 2);
  const code = `(\\d{${length}}|\\d{${half}}[ -]\\d{${length - half}})`;
  const word = new RegExp(`(?<![^\\s("'*])${code}(?![^\\s).,:;!?"'*]|[.,:]\\w)`);
  const run = new RegExp(`(?<!\\d)${code}(?!\\d)`);
  const [, found = plain] = word.exec(plain) ?? run.exec(plain) ?? [];
  return found.replace(/\D/g, "").slice(0, length);
};

/**
 * A one-time code, six digits unless told: a single input drawn as cells, so that typing, pasting, a phone's
 * suggestion and a password manager all fill it, and a screen reader meets one field.
 */
export const CodeField = ({
  label,
  value,
  onChange,
  onComplete,
  length = 6,
  description,
  error,
  isDisabled = false,
  ref,
  ...input
}: CodeFieldProps) => {
  const fieldId = useId();
  const box = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => box.current as HTMLInputElement);
  const [isStray, setStray] = useState(false);
  const [selection, setSelection] = useState<Selection | undefined>(undefined);

  const change = (text: string): void => {
    const digits = digitsIn(text, length);
    setStray(digits === "" && text !== "");
    if (digits === value) return;
    onChange(digits);
    if (digits.length === length) onComplete?.(digits);
  };

  const select = (): void => {
    const { current: input } = box;
    if (input === null) return;
    const end = input.value.length;
    const [from, to] = [input.selectionStart ?? end, input.selectionEnd ?? end];
    if (from === to && to !== end) input.setSelectionRange(end, end);
    setSelection(from === to ? { start: end, end } : { start: from, end: to });
  };

  // React's onSelect tells what a user selects, the browser's own event also what a program does.
  useEffect(() => {
    const { current: input } = box;
    const selectByProgram = (): void => {
      if (input !== null && input === document.activeElement) select();
    };
    input?.addEventListener("select", selectByProgram);
    return () => input?.removeEventListener("select", selectByProgram);
  });

  const isCurrent = (cell: number): boolean => {
    if (selection === undefined) return false;
    if (selection.start === selection.end) return cell === Math.min(value.length, length - 1);
    return cell >= selection.start && cell < selection.end;
  };

  const note = isStray && value === "" ? `A code has ${length} digits.` : error;

  return (
    <div className={field.field}>
      <label className={field.label} htmlFor={fieldId}>
        {label}
      </label>
      <div className={classes(styles.code, note !== undefined && styles.invalid)}>
        {Array.from({ length }, (_, cell) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
            key={cell}
            className={classes(styles.cell, isCurrent(cell) && styles.current)}
            aria-hidden="true"
          >
            {value[cell] ?? ""}
          </span>
        ))}
        <input
          {...input}
          ref={box}
          id={fieldId}
          className={styles.input}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          value={value}
          disabled={isDisabled}
          aria-invalid={note !== undefined || undefined}
          aria-describedby={describedBy(fieldId, description, note)}
          onChange={(event) => change(event.currentTarget.value)}
          onSelect={select}
          onFocus={select}
          onBlur={() => setSelection(undefined)}
        />
      </div>
      <FieldNotes fieldId={fieldId} description={description} error={note} />
    </div>
  );
};

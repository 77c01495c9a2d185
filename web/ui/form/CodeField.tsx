import { type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from "react";
import { classes } from "../classes.ts";
import styles from "./CodeField.module.css";
import field from "./Field.module.css";
import { describedBy, FieldNotes } from "./FieldNotes.tsx";

export interface CodeFieldProps {
  readonly label: string;
  readonly value: string;
  /** Receives digits only, at most `length` of them, whatever was typed or pasted. */
  readonly onChange: (value: string) => void;
  /** Called with a text that has no digit at all, which the field does not take. */
  readonly onRefused?: ((text: string) => void) | undefined;
  /** Called when the last digit has been entered. */
  readonly onComplete?: ((value: string) => void) | undefined;
  readonly length: number;
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

/** The ASCII digit for a decimal digit of any script; the ten digits of a script are consecutive code points. */
const toAsciiDigit = (digit: string): string => {
  let codePoint = (digit.codePointAt(0) ?? 0) - 1;
  let value = 0;
  for (; /\p{Nd}/u.test(String.fromCodePoint(codePoint)); codePoint -= 1) value += 1;
  return String(value % 10);
};

/**
 * Extracts a code from a text as at most `length` ASCII digits: a word of exactly that many digits if there is one, else
 * a run of that many digits, else all digits of the text. "At 127.0.0.1:4100: 123 456." gives "123456".
 */
export const digitsIn = (text: string, length: number): string => {
  const plain = text.normalize("NFKC").replace(/\p{Nd}/gu, (digit) => toAsciiDigit(digit));
  const half = Math.floor(length / 2);
  const code = `(\\d{${length}}|\\d{${half}}[ -]\\d{${length - half}})`;
  const word = new RegExp(`(?<![^\\s("'*])${code}(?![^\\s).,:;!?"'*]|[.,:]\\w)`);
  const run = new RegExp(`(?<!\\d)${code}(?!\\d)`);
  const [, found = plain] = word.exec(plain) ?? run.exec(plain) ?? [];
  return found.replace(/\D/g, "").slice(0, length);
};

/**
 * A field for a one-time code of `length` digits: one input drawn as cells, so that pasting, suggestions
 * and password managers fill it and screen readers see one field.
 */
export const CodeField = ({
  label,
  value,
  onChange,
  onRefused,
  onComplete,
  length,
  description,
  error,
  isDisabled = false,
  ref,
  ...input
}: CodeFieldProps) => {
  const fieldId = useId();
  const box = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => box.current as HTMLInputElement);
  const [hasInvalidInput, setInvalidInput] = useState(false);
  const [selection, setSelection] = useState<Selection | undefined>(undefined);

  const change = (text: string): void => {
    const digits = digitsIn(text, length);
    const isRefused = digits === "" && text !== "";
    setInvalidInput(isRefused);
    if (isRefused) onRefused?.(text);
    if (digits === value) return;
    onChange(digits);
    if (digits.length === length) onComplete?.(digits);
  };

  const select = (): void => {
    const { current: input } = box;
    if (input === null) return;
    const end = input.value.length;
    const from = input.selectionStart ?? end;
    const to = input.selectionEnd ?? end;
    if (from === to && to !== end) input.setSelectionRange(end, end);
    setSelection(from === to ? { start: end, end } : { start: from, end: to });
  };

  // NOTE: `onSelect` of React reports selections by the user only; the browser's own event also reports those by scripts.
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

  const shownError = error ?? (hasInvalidInput && value === "" ? `A code has ${length} digits.` : undefined);

  return (
    <div className={field.field}>
      <label className={field.label} htmlFor={fieldId}>
        {label}
      </label>
      <div className={classes(styles.code, shownError !== undefined && styles.invalid)}>
        {Array.from({ length }, (_, cell) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell is identified by its position
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
          aria-invalid={shownError !== undefined || undefined}
          aria-describedby={describedBy(fieldId, description, shownError)}
          onChange={(event) => change(event.currentTarget.value)}
          onSelect={select}
          onFocus={select}
          onBlur={() => setSelection(undefined)}
        />
      </div>
      <FieldNotes fieldId={fieldId} description={description} error={shownError} />
    </div>
  );
};

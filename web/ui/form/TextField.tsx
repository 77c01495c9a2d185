import { type HTMLInputAutoCompleteAttribute, type ReactNode, type Ref, useId } from "react";
import { classes } from "../classes.ts";
import field from "./Field.module.css";
import { describedBy, FieldNotes } from "./FieldNotes.tsx";
import styles from "./TextField.module.css";

export interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange?: ((value: string) => void) | undefined;
  readonly onBlur?: (() => void) | undefined;
  readonly description?: ReactNode;
  /** The problem and how to fix it; undefined while the value is valid. */
  readonly error?: string | undefined;
  /** Content inside the box, before and after the text. */
  readonly prefix?: ReactNode;
  readonly suffix?: ReactNode;
  /** Content at the end of the label's line, such as a badge. */
  readonly labelAside?: ReactNode;
  readonly isLabelHidden?: boolean | undefined;
  readonly isMonospace?: boolean | undefined;
  readonly isRequired?: boolean | undefined;
  readonly isReadOnly?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
  /** The maximum length in UTF-16 code units. */
  readonly maxLength?: number | undefined;
  readonly showsCount?: boolean | undefined;
  readonly type?: "text" | "email" | "url" | "password" | "number" | "time" | "date" | "tel" | undefined;
  readonly inputMode?: "text" | "email" | "numeric" | "decimal" | "url" | undefined;
  readonly autoComplete?: HTMLInputAutoCompleteAttribute | undefined;
  readonly autoCapitalize?: "none" | "sentences" | "words" | undefined;
  readonly spellCheck?: boolean | undefined;
  readonly enterKeyHint?: "done" | "go" | "next" | "search" | "send" | undefined;
  readonly autoFocus?: boolean | undefined;
  readonly placeholder?: string | undefined;
  readonly name?: string | undefined;
  /** Values that are offered while typing, found by any part of them. */
  readonly suggestions?: readonly string[] | undefined;
  readonly id?: string | undefined;
  readonly ref?: Ref<HTMLInputElement> | undefined;
}

/** A labeled field for one line of text. Screen readers read its error and description, and announce a new error. */
export const TextField = ({
  label,
  value,
  onChange,
  description,
  error,
  prefix,
  suffix,
  labelAside,
  isLabelHidden = false,
  isMonospace = false,
  isRequired = false,
  isReadOnly = false,
  isDisabled = false,
  maxLength,
  showsCount = false,
  type = "text",
  suggestions,
  id,
  ...input
}: TextFieldProps) => {
  const ownId = useId();
  const fieldId = id ?? ownId;
  /** Password managers offer their fill on every field that they are not kept from. */
  const isLogin = input.autoComplete !== undefined && input.autoComplete !== "off";
  const hasCount = showsCount && maxLength !== undefined;

  return (
    <div className={field.field}>
      <div className={classes(field.labelRow, isLabelHidden && "visually-hidden")}>
        <label className={field.label} htmlFor={fieldId}>
          {label}
        </label>
        {labelAside}
        {hasCount && (
          <span className={field.aside} aria-hidden="true">
            {value.length}/{maxLength}
          </span>
        )}
      </div>
      <div className={classes(field.box, error !== undefined && field.invalid)}>
        {prefix !== undefined && <span className={styles.affix}>{prefix}</span>}
        <input
          {...input}
          data-1p-ignore={isLogin ? undefined : ""}
          id={fieldId}
          type={type}
          value={value}
          onChange={(event) => onChange?.(event.currentTarget.value)}
          className={classes(styles.input, isMonospace && styles.monospace)}
          readOnly={isReadOnly || onChange === undefined}
          disabled={isDisabled}
          maxLength={maxLength}
          list={suggestions && `${fieldId}-suggestions`}
          aria-required={isRequired || undefined}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={describedBy(fieldId, description, error)}
        />
        {suffix !== undefined && <span className={styles.affix}>{suffix}</span>}
        {suggestions && (
          <datalist id={`${fieldId}-suggestions`}>
            {suggestions.map((suggestion) => (
              <option key={suggestion} value={suggestion} />
            ))}
          </datalist>
        )}
      </div>
      <FieldNotes fieldId={fieldId} description={description} error={error} />
    </div>
  );
};

import { type ReactNode, useEffect, useId, useRef } from "react";
import styles from "./Checkbox.module.css";
import field from "./Field.module.css";
import { describedBy, FieldNotes } from "./FieldNotes.tsx";

export interface CheckboxProps {
  readonly label: ReactNode;
  readonly isChecked: boolean;
  /** Some of what it stands for is chosen and some is not. */
  readonly isMixed?: boolean | undefined;
  /** Called with whether Shift was held, which stands for a range in a list. */
  readonly onChange: (isChecked: boolean, isRange: boolean) => void;
  readonly description?: ReactNode;
  readonly error?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly isRequired?: boolean | undefined;
  readonly name?: string | undefined;
}

/** A native checkbox for a choice that takes effect when the form is saved; Switch is for one that takes effect at once. */
export const Checkbox = ({
  label,
  isChecked,
  isMixed = false,
  onChange,
  description,
  error,
  isDisabled = false,
  isRequired = false,
  name,
}: CheckboxProps) => {
  const fieldId = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = isMixed;
  }, [isMixed]);
  return (
    <div className={field.field}>
      <label className={styles.row}>
        <span className={styles.mark}>
          <input
            ref={input}
            id={fieldId}
            className={styles.input}
            type="checkbox"
            name={name}
            checked={isChecked}
            disabled={isDisabled}
            aria-required={isRequired || undefined}
            aria-invalid={error !== undefined || undefined}
            aria-describedby={describedBy(fieldId, description, error)}
            onChange={({ currentTarget, nativeEvent }) =>
              onChange(currentTarget.checked, "shiftKey" in nativeEvent && nativeEvent.shiftKey === true)
            }
          />
          <svg className={styles.check} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
            <path className={styles.tick} d="m5 10.5 3.5 3.5L15 6.5" />
            <path className={styles.dash} d="M5.5 10h9" />
          </svg>
        </span>
        <span>{label}</span>
      </label>
      <div className={styles.notes}>
        <FieldNotes fieldId={fieldId} description={description} error={error} />
      </div>
    </div>
  );
};

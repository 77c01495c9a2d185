import { type DragEvent, type ReactNode, useId } from "react";
import { classes } from "../classes.ts";
import field from "./Field.module.css";
import { describedBy, FieldNotes } from "./FieldNotes.tsx";
import styles from "./TextArea.module.css";

export interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly rows?: number | undefined;
  readonly description?: ReactNode;
  readonly error?: string | undefined;
  readonly isMonospace?: boolean | undefined;
  readonly isReadOnly?: boolean | undefined;
  readonly placeholder?: string | undefined;
  /** Called when a file is dropped on the field. */
  readonly onFile?: ((file: File) => void) | undefined;
}

/** A labeled field for several lines of text. */
export const TextArea = ({
  label,
  value,
  onChange,
  rows = 4,
  description,
  error,
  isMonospace = false,
  isReadOnly,
  placeholder,
  onFile,
}: TextAreaProps) => {
  const fieldId = useId();
  const drop = (event: DragEvent): void => {
    const file = event.dataTransfer.files[0];
    if (!file || !onFile) return;
    event.preventDefault();
    onFile(file);
  };
  return (
    <div className={field.field}>
      <label className={field.label} htmlFor={fieldId}>
        {label}
      </label>
      <textarea
        id={fieldId}
        rows={rows}
        value={value}
        readOnly={isReadOnly}
        placeholder={placeholder}
        onChange={(event) => onChange(event.currentTarget.value)}
        onDrop={drop}
        onDragOver={(event) => onFile && event.preventDefault()}
        className={classes(
          styles.area,
          isMonospace && styles.monospace,
          error !== undefined && styles.invalid,
        )}
        spellCheck={!isMonospace}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={describedBy(fieldId, description, error)}
      />
      <FieldNotes fieldId={fieldId} description={description} error={error} />
    </div>
  );
};

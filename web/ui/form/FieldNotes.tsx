import type { ReactNode } from "react";
import { WarningIcon } from "../icons/WarningIcon.tsx";
import styles from "./Field.module.css";

export interface FieldNotesProps {
  /** The id of the input; the ids of the notes are derived from it. */
  readonly fieldId: string;
  readonly description?: ReactNode;
  readonly error?: string | undefined;
}

/** The value of an input's `aria-describedby`, error first; undefined when there is neither description nor error. */
export const describedBy = (
  fieldId: string,
  description: ReactNode,
  error: string | undefined,
): string | undefined => {
  const ids = [
    ...(error === undefined ? [] : [`${fieldId}-error`]),
    ...(description === undefined ? [] : [`${fieldId}-description`]),
  ];
  return ids.length === 0 ? undefined : ids.join(" ");
};

/** The error and the description under a field. Screen readers announce the error when it appears. */
export const FieldNotes = ({ fieldId, description, error }: FieldNotesProps) => (
  <>
    <div className={styles.live} aria-live="polite">
      {error !== undefined && (
        <p className={styles.error} id={`${fieldId}-error`}>
          <WarningIcon size={16} />
          <span>{error}</span>
        </p>
      )}
    </div>
    {description !== undefined && (
      <div className={styles.description} id={`${fieldId}-description`}>
        {description}
      </div>
    )}
  </>
);

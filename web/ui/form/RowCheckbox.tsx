import styles from "./Checkbox.module.css";
import row from "./RowCheckbox.module.css";

interface RowCheckboxProps {
  readonly label: string;
  /** Names the row to scripts that move the focus (`data-select`). */
  readonly id: string;
  readonly isChecked: boolean;
  /** `isRange` says whether Shift was held. */
  readonly onToggle: (isRange: boolean) => void;
}

/** The checkbox that selects a row; it lies over the row's mark and is seen while it is needed. */
export const RowCheckbox = ({ label, id, isChecked, onToggle }: RowCheckboxProps) => (
  <label className={row.target}>
    <span className={styles.mark}>
      <input
        className={styles.input}
        type="checkbox"
        aria-label={label}
        data-select={id}
        checked={isChecked}
        // The event of a change does not say whether Shift was held.
        onClick={(event) => onToggle(event.shiftKey)}
        onChange={() => undefined}
      />
      {isChecked && (
        <svg className={styles.check} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
          <path d="m5 10.5 3.5 3.5L15 6.5" />
        </svg>
      )}
    </span>
  </label>
);

import { useId } from "react";
import styles from "./ChipGroup.module.css";

export interface Chip<V extends string> {
  readonly value: V;
  readonly label: string;
  readonly count?: number | undefined;
}

export interface ChipGroupProps<V extends string> {
  /** Names the group for screen readers; not visible. */
  readonly label: string;
  readonly chips: readonly Chip<V>[];
  readonly value: V;
  readonly onChange: (value: V) => void;
}

/** One choice of a few that takes effect at once: native radio buttons drawn as chips, so the arrow keys change the choice. */
export const ChipGroup = <V extends string>({ label, chips, value, onChange }: ChipGroupProps<V>) => {
  const name = useId();
  return (
    <div className={styles.group} role="radiogroup" aria-label={label}>
      {chips.map((chip) => (
        <label key={chip.value} className={styles.chip}>
          <input
            className={styles.input}
            type="radio"
            name={name}
            value={chip.value}
            checked={chip.value === value}
            onChange={() => onChange(chip.value)}
          />
          <span>{chip.label}</span>
          {chip.count !== undefined && (
            <>
              {" "}
              <span className={styles.count}>{chip.count}</span>
            </>
          )}
        </label>
      ))}
    </div>
  );
};

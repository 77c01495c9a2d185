import { type ReactNode, useId } from "react";
import { classes } from "../classes.ts";
import styles from "./Switch.module.css";

export interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly isLabelHidden?: boolean | undefined;
  readonly description?: ReactNode;
  readonly isDisabled?: boolean | undefined;
  /** A change is running: the switch shows the requested position and ignores presses until the change ends. */
  readonly isPending?: boolean | undefined;
}

/** An on/off control that takes effect at once. Its label is the same in both positions. */
export const Switch = ({
  label,
  isOn,
  onChange,
  isLabelHidden = false,
  description,
  isDisabled = false,
  isPending = false,
}: SwitchProps) => {
  const descriptionId = useId();
  return (
    <label className={classes(styles.row, isLabelHidden && styles.alone)}>
      <span className={classes(styles.words, isLabelHidden && "visually-hidden")}>
        <span className={styles.label}>{label}</span>
        {description !== undefined && (
          <span className={styles.description} id={descriptionId} aria-hidden="true">
            {description}
          </span>
        )}
      </span>
      <input
        className={styles.input}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox exposes its checked state itself
        role="switch"
        aria-label={label}
        aria-describedby={description === undefined ? undefined : descriptionId}
        aria-busy={isPending || undefined}
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => {
          if (!isPending) onChange(event.currentTarget.checked);
        }}
      />
    </label>
  );
};

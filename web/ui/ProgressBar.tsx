import { useId } from "react";
import { classes } from "./classes.ts";
import styles from "./ProgressBar.module.css";

export interface ProgressBarProps {
  readonly label: string;
  /** From 0 to 100; beyond is drawn as the end. */
  readonly value: number;
  readonly isLabelHidden?: boolean | undefined;
}

/** How far something has come, in per cent. */
export const ProgressBar = ({ label, value, isLabelHidden = false }: ProgressBarProps) => {
  const labelId = useId();
  const percent = Math.round(Math.min(100, Math.max(0, value)));
  return (
    <div className={styles.root}>
      <div className={classes(styles.words, isLabelHidden && "visually-hidden")}>
        <span id={labelId}>{label}</span>
        <span className={styles.figures} aria-hidden="true">
          {percent}%
        </span>
      </div>
      <div
        className={styles.track}
        role="progressbar"
        aria-labelledby={labelId}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div className={styles.fill} style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
};

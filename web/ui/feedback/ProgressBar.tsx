import { useId } from "react";
import { formatNumber } from "../../format/numbers.ts";
import { classes } from "../classes.ts";
import styles from "./ProgressBar.module.css";

export interface ProgressBarProps {
  readonly label: string;
  /** From 0 to 100; values outside are clamped. */
  readonly value: number;
  readonly isLabelHidden?: boolean | undefined;
}

/** The progress of a task in percent. */
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

export interface UsageBarProps {
  readonly label: string;
  readonly used: number;
  /** The limit; undefined for no limit. */
  readonly limit: number | undefined;
  /** The unit in the screen reader text: "emails". */
  readonly unit: string;
}

/** The used share from which the bar is drawn as a warning. */
const nearlyUsedShare = 0.8;

const levelOf = (share: number): "calm" | "near" | "full" =>
  share >= 1 ? "full" : share >= nearlyUsedShare ? "near" : "calm";

/**
 * Shows how much of a limit is used: "172 / 5,000". The bar warns from 80 %, is red at the limit and, unlike the figure, ends
 * there.
 */
export const UsageBar = ({ label, used, limit, unit }: UsageBarProps) => {
  const labelId = useId();
  const share = limit === undefined ? 0 : limit <= 0 ? 1 : used / limit;
  const percent = Math.min(100, Math.max(0, share * 100));
  const spokenText =
    limit === undefined
      ? `${formatNumber(used)} ${unit}, no limit`
      : `${formatNumber(used)} of ${formatNumber(limit)} ${unit}`;
  return (
    <div className={styles.root}>
      <div className={styles.words}>
        <span id={labelId}>{label}</span>
        <span className={styles.figures} aria-hidden="true">
          {formatNumber(used)}
          <span className={styles.limit}> / {limit === undefined ? "unlimited" : formatNumber(limit)}</span>
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a native meter cannot be styled alike in all browsers */}
      <div
        className={styles.track}
        role="meter"
        aria-labelledby={labelId}
        aria-valuemin={0}
        aria-valuemax={limit === undefined ? Math.max(used, 1) : Math.max(limit, 1)}
        aria-valuenow={limit === undefined ? used : Math.min(used, Math.max(limit, 1))}
        aria-valuetext={spokenText}
      >
        <div className={classes(styles.fill, styles[levelOf(share)])} style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
};

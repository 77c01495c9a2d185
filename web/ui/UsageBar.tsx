import { useId } from "react";
import { classes } from "./classes.ts";
import styles from "./ProgressBar.module.css";

export interface UsageBarProps {
  readonly label: string;
  readonly used: number;
  /** Undefined: there is no limit. */
  readonly limit: number | undefined;
  /** What is counted, for the spoken text: "e-mails". */
  readonly unit: string;
}

const figures = new Intl.NumberFormat("en");

/** From here on the bar warns. */
const nearlyUsedShare = 0.8;

const levelOf = (share: number): "calm" | "near" | "full" =>
  share >= 1 ? "full" : share >= nearlyUsedShare ? "near" : "calm";

/**
 * How much of an allowance is used: "172 / 5,000". The drawing is capped at 100 %, the figures are not; from 80 % it
 * warns and at the limit it is red, and the figures say the same without colour.
 */
export const UsageBar = ({ label, used, limit, unit }: UsageBarProps) => {
  const labelId = useId();
  const share = limit === undefined ? 0 : limit <= 0 ? 1 : used / limit;
  const percent = Math.min(100, Math.max(0, share * 100));
  const spoken =
    limit === undefined
      ? `${figures.format(used)} ${unit}, no limit`
      : `${figures.format(used)} of ${figures.format(limit)} ${unit}`;
  return (
    <div className={styles.root}>
      <div className={styles.words}>
        <span id={labelId}>{label}</span>
        <span className={styles.figures} aria-hidden="true">
          {figures.format(used)}
          <span className={styles.limit}> / {limit === undefined ? "unlimited" : figures.format(limit)}</span>
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a native meter cannot be drawn alike in all browsers */}
      <div
        className={styles.track}
        role="meter"
        aria-labelledby={labelId}
        aria-valuemin={0}
        aria-valuemax={limit === undefined ? Math.max(used, 1) : Math.max(limit, 1)}
        aria-valuenow={limit === undefined ? used : Math.min(used, Math.max(limit, 1))}
        aria-valuetext={spoken}
      >
        <div className={classes(styles.fill, styles[levelOf(share)])} style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
};

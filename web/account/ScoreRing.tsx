import { basePoints, mostPoints } from "../../core/score/securiScore.ts";
import { classes } from "../ui/classes.ts";
import styles from "./ScoreRing.module.css";

const size = 136;
const strokeWidth = 10;
const place = { cx: size / 2, cy: size / 2, r: (size - strokeWidth) / 2 };
/** From here on the ring says that all is well. */
const goodPoints = 80;

/** A SecuriScore as a ring that fills in 1 s (AC2); the figure stands at once. */
export const ScoreRing = ({ points }: { readonly points: number }) => (
  // biome-ignore lint/a11y/useSemanticElements: a native meter is a bar
  <div
    className={styles.ring}
    role="meter"
    aria-label="SecuriScore"
    aria-valuemin={0}
    aria-valuemax={mostPoints}
    aria-valuenow={points}
    aria-valuetext={`${points} of ${mostPoints} points`}
  >
    <svg viewBox={`0 0 ${size} ${size}`} width={size} height={size} aria-hidden="true" focusable="false">
      <circle {...place} className={styles.track} strokeWidth={strokeWidth} />
      <circle
        {...place}
        className={classes(
          styles.won,
          points >= goodPoints ? styles.good : points > basePoints && styles.fair,
        )}
        strokeWidth={strokeWidth}
        pathLength={mostPoints}
        strokeDasharray={mostPoints}
        strokeDashoffset={mostPoints - points}
      />
    </svg>
    <span className={styles.figure} aria-hidden="true">
      <span className={styles.points}>{points}</span>
      <span className={styles.most}>of {mostPoints}</span>
    </span>
  </div>
);

import { basePoints, maximumPoints } from "../../../core/score/securiScore.ts";
import { classes } from "../../ui/classes.ts";
import styles from "./ScoreRing.module.css";

const size = 136;
const strokeWidth = 10;
const circle = { cx: size / 2, cy: size / 2, r: (size - strokeWidth) / 2 };
/** The ring is green from this many points. */
const goodPoints = 80;

/** Draws a SecuriScore as a ring that fills within 1 s (AC2); the number appears immediately. */
export const ScoreRing = ({ points }: { readonly points: number }) => (
  // biome-ignore lint/a11y/useSemanticElements: a native meter is a bar
  <div
    className={styles.ring}
    role="meter"
    aria-label="SecuriScore"
    aria-valuemin={0}
    aria-valuemax={maximumPoints}
    aria-valuenow={points}
    aria-valuetext={`${points} of ${maximumPoints} points`}
  >
    <svg viewBox={`0 0 ${size} ${size}`} width={size} height={size} aria-hidden="true" focusable="false">
      <circle {...circle} className={styles.track} strokeWidth={strokeWidth} />
      <circle
        {...circle}
        className={classes(
          styles.won,
          points >= goodPoints ? styles.good : points > basePoints && styles.fair,
        )}
        strokeWidth={strokeWidth}
        pathLength={maximumPoints}
        strokeDasharray={maximumPoints}
        strokeDashoffset={maximumPoints - points}
      />
    </svg>
    <span className={styles.figure} aria-hidden="true">
      <span className={styles.points}>{points}</span>
      <span className={styles.most}>of {maximumPoints}</span>
    </span>
  </div>
);

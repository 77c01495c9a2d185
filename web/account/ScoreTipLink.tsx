import type { ScoreTip } from "../../core/score/scoreTips.ts";
import type { ScorePartName } from "../../core/score/securiScore.ts";
import type { Place } from "../places/place.ts";
import { useGo } from "../places/useGo.ts";
import { ChevronRightIcon } from "../ui/icons/ChevronRightIcon.tsx";
import styles from "./ScorePanel.module.css";

/** Where the points are won. */
const placeOf: Readonly<Record<ScorePartName, Place>> = {
  twoFactor: { tab: "settings", section: "security" },
  encryption: { tab: "settings", section: "security" },
  masks: { tab: "masks" },
  contentAccess: { tab: "settings", section: "content-access" },
  plan: { tab: "account", section: "plan" },
};

/** A tip that leads to where it is followed. */
export const ScoreTipLink = ({ tip }: { readonly tip: ScoreTip }) => {
  const go = useGo();
  return (
    <button type="button" className={styles.tip} onClick={() => go(placeOf[tip.about])}>
      <span>
        {tip.sentence}
        {tip.points !== null && (
          <>
            {" "}
            <span className={styles.points}>+{tip.points} points</span>
          </>
        )}
      </span>
      <ChevronRightIcon size={18} />
    </button>
  );
};

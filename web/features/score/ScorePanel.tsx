import { useId } from "react";
import { sellsPlans } from "../../../core/api/configuration.ts";
import {
  basePoints,
  genericTips,
  type ScorePartName,
  type ScoreTip,
  scoreFactsOf,
  scoreOf,
  tipsAtOnce,
  tipsFor,
} from "../../../core/score/securiScore.ts";
import { addressText } from "../../navigation/address.ts";
import type { FocusTarget } from "../../navigation/focus.ts";
import { goTo } from "../../navigation/goTo.ts";
import { useApp } from "../../react/useApp.ts";
import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import { followPlainly } from "../../ui/followPlainly.ts";
import { ChevronRightIcon } from "../../ui/icons/ChevronRightIcon.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import type { AccountPanelProps } from "../billing/PlanPanel.tsx";
import styles from "./ScorePanel.module.css";
import { ScoreRing } from "./ScoreRing.tsx";

/** The screen on which the points of each part of the score are earned. */
const targetOf: Readonly<Record<ScorePartName, readonly string[]>> = {
  twoFactor: ["settings", "security"],
  encryption: ["settings", "security"],
  masks: ["masks"],
  contentAccess: ["settings", "privacy"],
  plan: ["account"],
};

const ScoreTipLink = ({ tip }: { readonly tip: ScoreTip }) => {
  const href = addressText(targetOf[tip.about]);
  const focus: FocusTarget = tip.about === "plan" ? "plan" : "content";
  return (
    <a className={styles.tip} href={href} onClick={followPlainly(() => goTo(href, focus))}>
      <span>
        {tip.text}
        {tip.points !== null && (
          <>
            {" "}
            <span className={styles.points}>+{tip.points} points</span>
          </>
        )}
      </span>
      <ChevronRightIcon size={18} />
    </a>
  );
};

const skeleton = (
  <SkeletonRegion label="Loading your SecuriScore" className={styles.score}>
    <Skeleton shape="circle" />
    <div className={styles.advice}>
      <Skeleton width="16ch" />
      <Skeleton height="part" shape="block" />
    </div>
  </SkeletonRegion>
);

const Advice = ({ tips }: { readonly tips: readonly ScoreTip[] }) => {
  const title = useId();
  if (tips.length === 0)
    return <p className={styles.advice}>Great job! You've maximized your security score.</p>;
  return (
    <div className={styles.advice}>
      <h3 id={title} className={styles.title}>
        Improve your score:
      </h3>
      <ul className={styles.tips} aria-labelledby={title}>
        {tips.slice(0, tipsAtOnce).map((tip) => (
          <li key={tip.about}>
            <ScoreTipLink tip={tip} />
          </li>
        ))}
      </ul>
    </div>
  );
};

/** Shows the SecuriScore with tips that improve it (AC2); an account that failed to load gets the base points and generic tips. */
export const ScorePanel = ({ account, isUnavailable }: AccountPanelProps) => {
  const { configuration } = useApp();
  const facts = account && scoreFactsOf(account, sellsPlans(configuration));
  return (
    <SectionCard id="securi-score" title="SecuriScore" isBusy={account === null && !isUnavailable}>
      {facts === null && !isUnavailable ? (
        skeleton
      ) : (
        <>
          {isUnavailable && <p className={styles.unknown}>Failed to get security status</p>}
          <div className={styles.score}>
            <ScoreRing points={facts ? scoreOf(facts).points : basePoints} />
            <Advice tips={facts ? tipsFor(facts) : genericTips} />
          </div>
        </>
      )}
    </SectionCard>
  );
};

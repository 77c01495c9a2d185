import { useId } from "react";
import { scoreFactsOf } from "../../core/score/scoreFacts.ts";
import { genericTips, type ScoreTip, tipsAtOnce, tipsFor } from "../../core/score/scoreTips.ts";
import { basePoints, scoreOf } from "../../core/score/securiScore.ts";
import { SectionCard } from "../ui/SectionCard.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { SkeletonRegion } from "../ui/SkeletonRegion.tsx";
import type { AccountPanelProps } from "./accountPanel.ts";
import styles from "./ScorePanel.module.css";
import { ScoreRing } from "./ScoreRing.tsx";
import { ScoreTipLink } from "./ScoreTipLink.tsx";

const loading = (
  <SkeletonRegion label="Loading your SecuriScore" className={styles.score}>
    <Skeleton width="8.5rem" height="8.5rem" shape="circle" />
    <div className={styles.advice}>
      <Skeleton width="16ch" />
      <Skeleton height="7rem" shape="block" />
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

/** How safe the account is, and what would make it safer (AC2). Of an account that cannot be had, the least. */
export const ScorePanel = ({ account, isMissing }: AccountPanelProps) => {
  const facts = account && scoreFactsOf(account);
  return (
    <SectionCard id="securi-score" title="SecuriScore" isBusy={account === null && !isMissing}>
      {facts === null && !isMissing ? (
        loading
      ) : (
        <>
          {isMissing && <p className={styles.unknown}>Failed to get security status</p>}
          <div className={styles.score}>
            <ScoreRing points={facts ? scoreOf(facts).points : basePoints} />
            <Advice tips={facts ? tipsFor(facts) : genericTips} />
          </div>
        </>
      )}
    </SectionCard>
  );
};

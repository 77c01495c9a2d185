import { isActive } from "../../core/masks/mask.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Card } from "../ui/Card.tsx";
import { Stat } from "../ui/Stat.tsx";
import { StatList } from "../ui/StatList.tsx";
import styles from "./InsightsTab.module.css";
import { totalsOf } from "./totals.ts";

/** What has come of the user's masks together: sums of what each card shows. */
export const InsightsTab = () => {
  const { masks } = useApp();
  const { status, all, warning } = useObservable(masks.view$);
  const isKnown = status === "ready" || status === "stale";
  const totals = isKnown ? totalsOf(all) : undefined;

  return (
    <>
      <h1 className={styles.title}>Email Insights</h1>
      <Card as="section" aria-labelledby="all-masks" padding="roomy">
        <h2 id="all-masks" className={styles.name}>
          All Masks
        </h2>
        <p className={styles.explanation}>
          {status === "failed"
            ? warning
            : "Counted since each mask was made. A mask that is deleted takes its counts with it."}
        </p>
        <div className={styles.figures}>
          <StatList aria-label="All Masks">
            <Stat size="large" label="Total received" value={totals?.received} />
            <Stat size="large" label="Forwarded" value={totals?.forwarded} />
            <Stat size="large" label="Blocked" value={totals?.blocked} />
            <Stat size="large" label="Active masks" value={totals && all.filter(isActive).length} />
          </StatList>
        </div>
      </Card>
    </>
  );
};

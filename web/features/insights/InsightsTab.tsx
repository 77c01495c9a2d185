import { useEffect, useRef } from "react";
import type { Insights } from "../../../core/insights/insights.ts";
import { createInsights } from "../../../core/insights/insights.ts";
import { clockTime } from "../../format/dates.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { Skeleton } from "../../ui/feedback/Skeleton.tsx";
import { RefreshIcon } from "../../ui/icons/RefreshIcon.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { PageHead } from "../../ui/layout/layout.tsx";
import stack from "../../ui/layout/Panels.module.css";
import { MaskSelect } from "../masks/select/MaskSelect.tsx";
import { InsightsPanels } from "./InsightsPanels.tsx";
import styles from "./InsightsTab.module.css";
import { Suggestions } from "./Suggestions.tsx";

const wide = ["card", "chart"] as const;
const panels = ["first", "second", "third", "fourth"];

const InsightsSkeleton = () => (
  <div aria-busy="true" className={stack.tab}>
    <p role="status" className={styles.read}>
      Loading insights...
    </p>
    {wide.map((height) => (
      <Card key={height}>
        <Skeleton height={height} shape="block" />
      </Card>
    ))}
    <div className={styles.columns}>
      {panels.map((panel) => (
        <Card key={panel}>
          <Skeleton height="chart" shape="block" />
        </Card>
      ))}
    </div>
  </div>
);

/** The select value for all masks; no mask has it as its id. */
const allMasksValue = "*";

const MaskChoice = ({
  insights,
  maskId,
}: {
  readonly insights: Insights;
  readonly maskId: string | null;
}) => {
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  if (all.length === 0) return null;
  return (
    <div className={styles.mask}>
      <MaskSelect
        value={maskId ?? allMasksValue}
        onChange={(value) => insights.selectMask(value === allMasksValue ? null : value)}
        others={[{ value: allMasksValue, label: "All Masks" }]}
        masks={all}
      />
    </div>
  );
};

/** Shows figures and suggestions of all masks or one; they load on opening, every 5 minutes, and by the button (IN1, IN6). */
export const InsightsTab = () => {
  const insights = useFeature(createInsights);
  const view = useObservable(insights.view$);
  const heading = useRef<HTMLHeadingElement>(null);
  const refresh = useAction(insights.refresh);
  useEffect(insights.open, []);
  const { status, warning, reason, askedAt } = view;
  const refreshButton = (label: string) => (
    <Button size="small" onPress={() => refresh.run()} isPending={refresh.isRunning}>
      {label}
    </Button>
  );

  return (
    <>
      <PageHead title="Email Insights" titleRef={heading}>
        <div className={styles.actions}>
          <MaskChoice insights={insights} maskId={view.maskId} />
          {askedAt !== null && <span className={styles.read}>As of {clockTime(askedAt)}</span>}
          <Button
            icon={<RefreshIcon size={18} />}
            onPress={() => refresh.run()}
            isPending={refresh.isRunning}
          >
            Refresh
          </Button>
        </div>
      </PageHead>
      {status === "failed" && (
        <Banner kind="error" action={refreshButton("Try Again")}>
          {warning}
          {reason !== null && <p>{reason}</p>}
        </Banner>
      )}
      {status === "stale" && (
        <Banner kind="warning" action={refreshButton("Refresh")}>
          {warning}
        </Banner>
      )}
      {view.leftOut !== "" && <Banner kind="warning">{view.leftOut}</Banner>}
      {status === "loading" && <InsightsSkeleton />}
      {askedAt !== null && (
        <div className={stack.tab}>
          <InsightsPanels view={view} now={askedAt}>
            <Suggestions
              insights={insights}
              list={view.suggestions}
              onFocusLost={() => heading.current?.focus()}
            />
          </InsightsPanels>
        </div>
      )}
    </>
  );
};

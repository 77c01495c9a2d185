import { useEffect, useRef } from "react";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { nameOf } from "../masks/maskDialog.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { RefreshIcon } from "../ui/icons/RefreshIcon.tsx";
import { PageHead } from "../ui/PageHead.tsx";
import { Select } from "../ui/Select.tsx";
import { clockTime } from "../wording/moments.ts";
import { InsightsPanels } from "./InsightsPanels.tsx";
import { InsightsSkeleton } from "./InsightsSkeleton.tsx";
import styles from "./InsightsTab.module.css";
import type { Insights } from "./insightsPart.ts";
import { Suggestions } from "./Suggestions.tsx";

/** Stands for no mask in particular; no mask has it as its id. */
const everyMask = "*";

const MaskChoice = ({
  insights,
  maskId,
}: {
  readonly insights: Insights;
  readonly maskId: string | null;
}) => {
  const { masks } = useApp();
  const { all } = useObservable(masks.view$);
  if (all.length === 0) return null;
  return (
    <div className={styles.mask}>
      <Select
        label="Mask"
        value={maskId ?? everyMask}
        onChange={(value) => insights.choose(value === everyMask ? null : value)}
        options={[
          { value: everyMask, label: "All Masks" },
          ...all.map((mask) => ({ value: mask.id, label: nameOf(mask), description: mask.maskEmail })),
        ]}
      />
    </div>
  );
};

/** Figures and suggestions, of all masks or one: read when opened, every 5 minutes, and by hand (IN1, IN6). */
export const InsightsScreen = ({ insights }: { readonly insights: Insights }) => {
  const view = useObservable(insights.view$);
  const heading = useRef<HTMLHeadingElement>(null);
  const refresh = useAction(insights.refresh);
  useEffect(insights.open, []);
  const { status, warning, askedAt } = view;
  const again = (label: string) => (
    <Button size="small" onPress={() => refresh.run()} isPending={refresh.isRunning}>
      {label}
    </Button>
  );

  return (
    <>
      <PageHead title="Email Insights" titleRef={heading}>
        <div className={styles.ways}>
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
        <Banner kind="error" action={again("Try Again")}>
          {warning}
        </Banner>
      )}
      {status === "stale" && (
        <Banner kind="warning" action={again("Refresh")}>
          {warning}
        </Banner>
      )}
      <MaskChoice insights={insights} maskId={view.maskId} />
      {status === "loading" && <InsightsSkeleton />}
      {askedAt !== null && (
        <div className={styles.body}>
          <Suggestions insights={insights} list={view.suggestions} onLost={() => heading.current?.focus()} />
          <InsightsPanels view={view} now={askedAt} />
        </div>
      )}
    </>
  );
};

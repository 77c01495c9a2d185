import { isActive, type Mask, statisticsOf } from "../../core/masks/mask.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { nameOf } from "../masks/maskDialog.ts";
import { useGo } from "../places/useGo.ts";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { InsightsIcon } from "../ui/icons/InsightsIcon.tsx";
import { longDate } from "../wording/dates.ts";
import { ActionAnalytics } from "./ActionAnalytics.tsx";
import { DailyMail } from "./DailyMail.tsx";
import { EmailCategorization } from "./EmailCategorization.tsx";
import styles from "./InsightsTab.module.css";
import type { InsightsView } from "./insightsPart.ts";
import { MaskComparison } from "./MaskComparison.tsx";
import { RuleEffectiveness } from "./RuleEffectiveness.tsx";
import { SecurityInsights } from "./SecurityInsights.tsx";
import { Senders } from "./Senders.tsx";
import { StatsBlock } from "./StatsBlock.tsx";
import { TagAnalytics } from "./TagAnalytics.tsx";

/** What stands here once there is mail. */
const NoMailYet = ({ hasMasks }: { readonly hasMasks: boolean }) => {
  const go = useGo();
  return (
    <EmptyState
      title="No mail has come yet."
      illustration={<InsightsIcon size={32} />}
      action={
        <Button variant="primary" onPress={() => go({ tab: "masks" })}>
          {hasMasks ? "Show your masks" : "Create your first mask"}
        </Button>
      }
    >
      As soon as a mask gets mail, this page shows how much came each day, who sent it, what was blocked and
      why, and which of your rules did something.
    </EmptyState>
  );
};

/** As its card shows it, where the server compares nothing. */
const flowOf = (mask: Mask) => {
  const { totalReceived, totalForwarded, spamBlocked } = statisticsOf(mask);
  return {
    id: mask.id,
    description: nameOf(mask),
    active: isActive(mask),
    received: totalReceived,
    forwarded: totalForwarded,
    blocked: spamBlocked,
  };
};

interface InsightsPanelsProps {
  readonly view: InsightsView;
  /** When the figures were read, in milliseconds since 1970. */
  readonly now: number;
}

/** Everything that was counted, a panel each (IN4, IN5). */
export const InsightsPanels = ({ view, now }: InsightsPanelsProps) => {
  const { masks } = useApp();
  const { all } = useObservable(masks.view$);
  const { figures, maskId } = view;
  const since = figures.since === undefined ? "so far" : `since ${longDate(figures.since)}`;
  const given = { figures, since };
  const isOneMask = maskId !== null;
  const compared = figures.masks ?? all.map(flowOf);
  return (
    <>
      <StatsBlock view={view} since={since} />
      {figures.total === 0 ? (
        <NoMailYet hasMasks={all.length > 0} />
      ) : (
        <>
          {figures.byDay !== undefined && <DailyMail figures={figures} now={now} />}
          {!isOneMask && compared.length > 1 && <MaskComparison masks={compared} since={since} />}
          <div className={styles.columns}>
            <RuleEffectiveness {...given} isOneMask={isOneMask} />
            <EmailCategorization {...given} />
            <SecurityInsights {...given} isOneMask={isOneMask} />
            <Senders {...given} isOneMask={isOneMask} />
            <TagAnalytics {...given} />
            <ActionAnalytics {...given} />
          </div>
        </>
      )}
    </>
  );
};

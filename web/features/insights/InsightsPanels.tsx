import type { ReactNode } from "react";
import { isActive, type Mask, statisticsOf } from "../../../core/masks/mask.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { longDate } from "../../format/dates.ts";
import { Guarded } from "../../loading/Guarded.tsx";
import { addressText } from "../../navigation/address.ts";
import { useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { classes } from "../../ui/classes.ts";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { InsightsIcon } from "../../ui/icons/InsightsIcon.tsx";
import stack from "../../ui/layout/Panels.module.css";
import { LeakCheck } from "../breaches/LeakCheck.tsx";
import { DailyMail } from "./DailyMail.tsx";
import { EmailCategorization } from "./EmailCategorization.tsx";
import type { InsightsView } from "./figures.ts";
import styles from "./InsightsTab.module.css";
import { MaskComparison } from "./MaskComparison.tsx";
import { ActionAnalytics, RuleEffectiveness, TagAnalytics } from "./RuleAnalytics.tsx";
import { SecurityInsights } from "./SecurityInsights.tsx";
import { Senders } from "./Senders.tsx";
import { StatsBlock } from "./StatsBlock.tsx";

const NoMailYet = ({ hasMasks }: { readonly hasMasks: boolean }) => (
  <EmptyState
    title="No mail has come yet."
    illustration={<InsightsIcon size={32} />}
    action={
      <ButtonLink variant="primary" href={addressText(hasMasks ? ["masks"] : ["masks", "new"])}>
        {hasMasks ? "Show your masks" : "Create your first mask"}
      </ButtonLink>
    }
  >
    As soon as a mask gets mail, this page shows how much came each day, who sent it, what was blocked and
    why, and which of your rules did something.
  </EmptyState>
);

/** Derives the figures of a mask from its statistics, for a server that sends no comparison. */
const toMaskFlow = (mask: Mask) => {
  const { totalReceived, totalForwarded, spamBlocked } = statisticsOf(mask);
  return {
    id: mask.id,
    description: maskName(mask),
    active: isActive(mask),
    received: totalReceived,
    forwarded: totalForwarded,
    blocked: spamBlocked,
  };
};

interface InsightsPanelsProps {
  readonly view: InsightsView;
  /** The time at which the figures were loaded, in milliseconds since 1970. */
  readonly now: number;
  /** The suggestions, which stand beside the mail by day. */
  readonly children: ReactNode;
}

/** Shows all figures, one panel for each topic (IN4, IN5). */
export const InsightsPanels = ({ view, now, children }: InsightsPanelsProps) => {
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const { figures, maskId } = view;
  const since = figures.since === undefined ? "so far" : `since ${longDate(figures.since)}`;
  const panelProps = { figures, since };
  const isOneMask = maskId !== null;
  const compared = figures.masks ?? all.map(toMaskFlow);
  return (
    <>
      <Guarded part="insights summary">
        <StatsBlock view={view} since={since} />
      </Guarded>
      {figures.total === 0 ? (
        <>
          <NoMailYet hasMasks={all.length > 0} />
          {children}
        </>
      ) : (
        <>
          <div className={classes(stack.tab, styles.first)}>
            {figures.byDay !== undefined && (
              <Guarded part="daily mail">
                <DailyMail figures={figures} now={now} />
              </Guarded>
            )}
            <div className={styles.beside}>{children}</div>
          </div>
          <div className={styles.columns}>
            {!isOneMask && compared.length > 1 && (
              <Guarded part="mask comparison">
                <MaskComparison masks={compared} since={since} />
              </Guarded>
            )}
            <Guarded part="rule effectiveness">
              <RuleEffectiveness {...panelProps} isOneMask={isOneMask} />
            </Guarded>
            <Guarded part="categorization">
              <EmailCategorization {...panelProps} />
            </Guarded>
            <Guarded part="senders">
              <Senders {...panelProps} isOneMask={isOneMask} />
            </Guarded>
            <Guarded part="tags">
              <TagAnalytics {...panelProps} />
            </Guarded>
            <Guarded part="security insights">
              <SecurityInsights {...panelProps} isOneMask={isOneMask} />
            </Guarded>
            <Guarded part="known leaks">
              <LeakCheck key={maskId} maskId={maskId} />
            </Guarded>
            <Guarded part="actions">
              <ActionAnalytics {...panelProps} />
            </Guarded>
          </div>
        </>
      )}
    </>
  );
};

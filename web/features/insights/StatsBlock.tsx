import { sellsPlans } from "../../../core/api/configuration.ts";
import { insightsLimits } from "../../../core/insights/figures.ts";
import { isActive, type Mask, statisticsOf } from "../../../core/masks/mask.ts";
import { formatCount, formatNumber } from "../../format/numbers.ts";
import { addressText } from "../../navigation/address.ts";
import { TargetLink } from "../../navigation/TargetLink.tsx";
import { useApp, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { UsageBar } from "../../ui/feedback/ProgressBar.tsx";
import { FieldColumns } from "../../ui/layout/layout.tsx";
import { Panel } from "../../ui/layout/Panel.tsx";
import { Stat, StatList } from "../../ui/Stat.tsx";
import type { InsightsView } from "./figures.ts";
import styles from "./StatsBlock.module.css";
import { useInsightsLinks } from "./useInsightsLinks.ts";

interface Totals {
  readonly received: number;
  readonly forwarded: number;
  readonly blocked: number;
}

const sumStatistics = (masks: readonly Mask[]): Totals =>
  masks.map(statisticsOf).reduce(
    (sum, { totalReceived, totalForwarded, spamBlocked }) => ({
      received: sum.received + totalReceived,
      forwarded: sum.forwarded + totalForwarded,
      blocked: sum.blocked + spamBlocked,
    }),
    { received: 0, forwarded: 0, blocked: 0 },
  );

const letThroughText = "let through since the 1st (UTC)";

const switchedOffText = (count: number, towards = ""): string =>
  `${formatCount(count, "more mask")} ${count === 1 ? "is" : "are"} switched off and count${count === 1 ? "s" : ""}${towards} too`;

/** Shows the usage of this month with its limits (IN4), which apply to the account and not to one mask. */
const PlanLimits = ({ figures }: Pick<InsightsView, "figures">) => {
  const { masks, account } = useSignedIn();
  const links = useInsightsLinks();
  const { all } = useObservable(masks.view$);
  const details = useObservable(account.account$);
  const limits = insightsLimits(details, figures.plan);
  const active = all.filter(isActive).length;
  return (
    <>
      <div className={styles.limit}>
        <UsageBar
          label="Emails this month"
          used={figures.thisMonth}
          limit={limits.emails ?? undefined}
          unit="emails"
        />
        <p className={styles.note}>
          Let through since the 1st, UTC: mail that was blocked does not count.
          {figures.systemEmails !== undefined &&
            ` ${formatCount(figures.systemEmails, "system email")} this month, such as sign-in codes, ${figures.systemEmails === 1 ? "does" : "do"} not count.`}
        </p>
        <TargetLink
          size="small"
          variant="quiet"
          className={styles.link}
          href={addressText(["account"])}
          focus="plan"
        >
          Emails limit: your plan
        </TargetLink>
      </div>
      <div className={styles.limit}>
        <UsageBar label="Active masks" used={active} limit={limits.masks ?? undefined} unit="masks" />
        <p className={styles.note}>
          {all.length > active
            ? `${switchedOffText(all.length - active, " towards the limit")}.`
            : "Masks that are switched on now."}
        </p>
        <ButtonLink size="small" variant="quiet" className={styles.link} {...links.activeMasks}>
          Show active masks
        </ButtonLink>
      </div>
    </>
  );
};

/** A figure beside its most, where there is one. */
const withMost = (used: number, most: number | null): number | string =>
  most === null ? used : `${formatNumber(used)} of ${formatNumber(most)}`;

/** The figures of this month alone, where no plans are sold, each with the most that the operator has set. */
const ThisMonth = ({ figures }: Pick<InsightsView, "figures">) => {
  const { masks, account } = useSignedIn();
  const links = useInsightsLinks();
  const { all } = useObservable(masks.view$);
  const { limits } = useObservable(account.account$) ?? {};
  const active = all.filter(isActive).length;
  return (
    <div className={styles.limit}>
      <StatList aria-label="This month">
        <Stat
          size="large"
          label="Emails this month"
          value={withMost(figures.thisMonth, limits?.emailsPerMonth ?? null)}
          hint={letThroughText}
        />
        <Stat
          size="large"
          label="Active masks"
          value={withMost(active, limits?.maxMasks ?? null)}
          hint={all.length > active ? switchedOffText(all.length - active) : "switched on now"}
        />
        {figures.systemEmails !== undefined && (
          <Stat
            size="large"
            label="System emails"
            value={figures.systemEmails}
            hint="such as sign-in codes; they do not count"
          />
        )}
      </StatList>
      <ButtonLink size="small" variant="quiet" className={styles.link} {...links.activeMasks}>
        Show active masks
      </ButtonLink>
    </div>
  );
};

const Limits = ({ figures }: Pick<InsightsView, "figures">) =>
  sellsPlans(useApp().configuration) ? <PlanLimits figures={figures} /> : <ThisMonth figures={figures} />;

/** Shows the totals (IN4). */
export const StatsBlock = ({ view, since }: { readonly view: InsightsView; readonly since: string }) => {
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const { figures, maskId } = view;
  const summed = sumStatistics(all.filter(({ id }) => maskId === null || id === maskId));
  const flow = figures.flow ?? { ...summed, received: figures.total };
  return (
    <Panel title={maskId === null ? "This month and in total" : "This mask"} hint={`Totals count ${since}.`}>
      <FieldColumns>
        {maskId === null && <Limits figures={figures} />}
        <div className={styles.figures}>
          <StatList aria-label="Totals">
            {maskId !== null && (
              <Stat size="large" label="Emails this month" value={figures.thisMonth} hint={letThroughText} />
            )}
            <Stat
              size="large"
              label="Total received"
              value={flow.received}
              hint="all that came, blocked or not"
            />
            <Stat size="large" label="Forwarded" value={flow.forwarded} hint="sent on to you" />
            {figures.heldMail !== undefined && figures.heldMail.held > 0 && (
              <Stat
                size="large"
                label="Held"
                value={figures.heldMail.held}
                hint={`${figures.heldMail.released} released, ${figures.heldMail.expired} expired`}
              />
            )}
            <Stat size="large" label="Blocked" value={flow.blocked} hint="refused or dropped" />
            {figures.flow?.replied !== undefined && (
              <Stat
                size="large"
                label="Replied"
                value={figures.flow.replied}
                hint="sent by you from a mask"
              />
            )}
            {figures.flow?.cleaned !== undefined && (
              <Stat size="large" label="Trackers removed" value={figures.flow.cleaned} hint="emails" />
            )}
          </StatList>
        </div>
      </FieldColumns>
    </Panel>
  );
};

import { insightsLimits } from "../../core/insights/insightsPlan.ts";
import { isActive } from "../../core/masks/mask.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Button } from "../ui/Button.tsx";
import { Stat } from "../ui/Stat.tsx";
import { StatList } from "../ui/StatList.tsx";
import { UsageBar } from "../ui/UsageBar.tsx";
import { counting } from "./counted.ts";
import type { InsightsView } from "./insightsPart.ts";
import { Panel } from "./Panel.tsx";
import styles from "./StatsBlock.module.css";
import { totalsOf } from "./totals.ts";
import { usePlaces } from "./usePlaces.ts";

const thisMonth = (count: number | undefined): string | undefined =>
  count === undefined ? undefined : `${new Intl.NumberFormat("en").format(count)} this month`;

/** This month and its limits (IN4): of the account, since a limit is one for all its masks. */
const Limits = ({ figures }: Pick<InsightsView, "figures">) => {
  const { masks, account } = useApp();
  const places = usePlaces();
  const { all } = useObservable(masks.view$);
  const known = useObservable(account.account$);
  const limits = insightsLimits(known, figures.plan);
  const active = all.filter(isActive).length;
  return (
    <div className={styles.limits}>
      <div className={styles.limit}>
        <UsageBar label="Emails this month" used={figures.thisMonth} limit={limits.emails} unit="e-mails" />
        <p className={styles.note}>
          Let through since the 1st, UTC: mail that was blocked does not count.
          {figures.systemEmails !== undefined &&
            ` ${counting(figures.systemEmails, "system e-mail")} this month, such as sign-in codes, ${figures.systemEmails === 1 ? "does" : "do"} not count.`}
        </p>
        <Button size="small" variant="quiet" className={styles.way} onPress={places.plan}>
          Emails limit: your plan
        </Button>
      </div>
      <div className={styles.limit}>
        <UsageBar label="Active masks" used={active} limit={limits.masks ?? undefined} unit="masks" />
        <p className={styles.note}>
          {all.length > active
            ? `${counting(all.length - active, "mask")} more ${all.length - active === 1 ? "is" : "are"} switched off and count${all.length - active === 1 ? "s" : ""} towards the limit too.`
            : "Masks that are switched on now."}
        </p>
        <Button size="small" variant="quiet" className={styles.way} onPress={places.activeMasks}>
          Show active masks
        </Button>
      </div>
    </div>
  );
};

/** The figures one looks for first (IN4). */
export const StatsBlock = ({ view, since }: { readonly view: InsightsView; readonly since: string }) => {
  const { masks } = useApp();
  const { all } = useObservable(masks.view$);
  const { figures, maskId } = view;
  const summed = totalsOf(all.filter(({ id }) => maskId === null || id === maskId));
  const flow = figures.flow ?? { ...summed, received: figures.total };
  const month = figures.flowThisMonth;
  return (
    <Panel title={maskId === null ? "This Month and in All" : "This Mask"} hint={`Totals count ${since}.`}>
      {maskId === null && <Limits figures={figures} />}
      <div className={styles.figures}>
        <StatList aria-label="Totals">
          {maskId !== null && (
            <Stat
              size="large"
              label="Emails this month"
              value={figures.thisMonth}
              hint="since the 1st, UTC"
            />
          )}
          <Stat
            size="large"
            label="Total received"
            value={flow.received}
            hint={maskId === null ? thisMonth(month?.received) : undefined}
          />
          <Stat size="large" label="Forwarded" value={flow.forwarded} hint={thisMonth(month?.forwarded)} />
          <Stat size="large" label="Blocked" value={flow.blocked} hint={thisMonth(month?.blocked)} />
        </StatList>
      </div>
    </Panel>
  );
};

import { useEffect, useId, useRef } from "react";
import { awaitedRecords } from "../../../core/domains/checkRepeatedly.ts";
import { createOperator, isAwaitingDns } from "../../../core/operator/operator.ts";
import type { OperatorOverview } from "../../../core/operator/operatorEndpoints.ts";
import { labelOf, parseTier } from "../../../core/tiers/tier.ts";
import { clockTime } from "../../format/dates.ts";
import { formatNumber } from "../../format/numbers.ts";
import type { PageProps } from "../../navigation/pageProps.ts";
import { useFormAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import { RefreshIcon } from "../../ui/icons/RefreshIcon.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { PageHead } from "../../ui/layout/layout.tsx";
import stack from "../../ui/layout/Panels.module.css";
import rows from "../../ui/layout/Rows.module.css";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import styles from "../insights/InsightsTab.module.css";
import { CheckList, ChecksSkeleton } from "./CheckList.tsx";
import { HealthPanel } from "./HealthPanel.tsx";
import { MailPanel } from "./MailPanel.tsx";
import { ProvidersPanel } from "./ProvidersPanel.tsx";
import { QueuePanel } from "./QueuePanel.tsx";
import { ReceiverReportsPanel } from "./ReceiverReportsPanel.tsx";
import { SignInsPanel } from "./SignInsPanel.tsx";
import { VersionPanel } from "./VersionPanel.tsx";

/** Shows the number of accounts, all and by plan. */
const UsersPanel = ({ users }: Pick<OperatorOverview, "users">) => (
  <SectionCard
    id={useId()}
    title="Users"
    aside={<span>{formatNumber(users.reduce((sum, { count }) => sum + count, 0))} in all</span>}
  >
    <ul className={rows.rows}>
      {users.map(({ tier, count }) => (
        <li key={tier} className={rows.row}>
          <span>{labelOf[parseTier(tier)]}</span>
          <span>{formatNumber(count)}</span>
        </li>
      ))}
    </ul>
  </SectionCard>
);

const skeleton = (
  <SkeletonRegion label="Loading the figures of the server" className={stack.tab}>
    {(["row", "part", "card"] as const).map((height) => (
      <Card key={height}>
        <Skeleton height={height} shape="block" />
      </Card>
    ))}
  </SkeletonRegion>
);

const Figures = ({ overview }: { readonly overview: OperatorOverview }) => (
  <>
    <HealthPanel health={overview.health} problems={overview.problems} />
    <QueuePanel queue={overview.queue} asOf={Date.parse(overview.asOf)} />
    <ProvidersPanel providers={overview.providers} asOf={Date.parse(overview.asOf)} />
    <ReceiverReportsPanel reports={overview.receiverReports} />
    <MailPanel days={overview.mail} />
    <UsersPanel users={overview.users} />
    <SignInsPanel sessions={overview.sessions} />
  </>
);

/** Shows those who run the server how it does: figures of all users together, never an address or a mail. */
export const OperatorPage = ({ backTo, onLeave }: Pick<PageProps, "backTo" | "onLeave">) => {
  const operator = useFeature(createOperator);
  const { overview, checks, overviewMessage, checksMessage } = useObservable(operator.view$);
  const heading = useRef<HTMLHeadingElement>(null);
  const refresh = useFormAction(operator.refresh);
  useEffect(operator.open, []);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const message = overviewMessage === "" ? checksMessage : overviewMessage;

  return (
    <>
      <PageHead title="Operator" titleRef={heading}>
        <div className={styles.actions}>
          {overview && <span className={styles.read}>As of {clockTime(Date.parse(overview.asOf))}</span>}
          <ButtonLink variant="quiet" href={backTo} onFollow={onLeave}>
            Back to your account
          </ButtonLink>
          <Button
            icon={<RefreshIcon size={18} />}
            onPress={() => refresh.run()}
            isPending={refresh.isRunning}
          >
            Refresh
          </Button>
        </div>
      </PageHead>
      <div className={stack.tab}>
        {message !== "" && <Banner kind={overview === null ? "error" : "warning"}>{message}</Banner>}
        {overview === null && overviewMessage === "" && skeleton}
        {overview && <Figures overview={overview} />}
        {checks === null && checksMessage === "" && <ChecksSkeleton />}
        {checks && (
          <>
            <CheckList
              title="DNS records"
              checks={checks.dns}
              empty="Only this machine reaches the server, so it needs no DNS records."
              note={isAwaitingDns(checks) ? awaitedRecords("page") : null}
            />
            <CheckList title="Machine and surroundings" checks={checks.machine} empty="" note={null} />
          </>
        )}
        {overview && <VersionPanel version={overview.version} />}
      </div>
    </>
  );
};

import { useId } from "react";
import { failedHours, type OperatorOverview } from "../../../core/operator/operatorEndpoints.ts";
import { relativeTime } from "../../format/dates.ts";
import { formatNumber } from "../../format/numbers.ts";
import rows from "../../ui/layout/Rows.module.css";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { Stat, StatList } from "../../ui/Stat.tsx";
import styles from "./operator.module.css";

interface QueuePanelProps extends Pick<OperatorOverview, "queue"> {
  /** Milliseconds since 1970. */
  readonly asOf: number;
}

/** Shows the mails that wait to be sent, without their addresses. */
export const QueuePanel = ({ queue, asOf }: QueuePanelProps) => (
  <SectionCard
    id={useId()}
    title="Queue"
    text={
      queue.oldest === null
        ? "No mail is waiting to be sent."
        : `The oldest waiting mail: ${relativeTime(Date.parse(queue.oldest), asOf)}.`
    }
  >
    <StatList aria-label="Queue">
      <Stat label="Waiting" value={queue.waiting} />
      <Stat label="Deferred" value={queue.deferred} hint="to be tried again" />
      <Stat label="Failed" value={queue.failed} hint={`in ${failedHours} hours`} />
    </StatList>
    <SlowestDomains queue={queue} asOf={asOf} />
  </SectionCard>
);

/** Lists the domains whose mail waits longest. */
const SlowestDomains = ({ queue, asOf }: QueuePanelProps) => {
  const id = useId();
  if (queue.slowest.length === 0) return null;
  return (
    <>
      <h3 id={id} className={styles.subtitle}>
        Slowest domains
      </h3>
      <ul className={rows.rows} aria-labelledby={id}>
        {queue.slowest.map(({ domain, waiting, oldest, codes }) => (
          <li key={domain} className={rows.row}>
            <span className={styles.domain}>{domain}</span>
            <span>
              {formatNumber(waiting)} waiting, {relativeTime(Date.parse(oldest), asOf)},{" "}
              {codes === "" ? "no answer" : `answer ${codes}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
};

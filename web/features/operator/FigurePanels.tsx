import { useId } from "react";
import type { OperatorOverview } from "../../../core/operator/operatorEndpoints.ts";
import { labelOf, parseTier } from "../../../core/tiers/tier.ts";
import { relativeTime } from "../../format/dates.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import rows from "../../ui/layout/Rows.module.css";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { Stat, StatList } from "../../ui/Stat.tsx";
import styles from "./operator.module.css";

const numberFormat = new Intl.NumberFormat("en");
const dayFormat = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });

const partNames: Readonly<Record<string, string>> = {
  http: "Web (HTTP)",
  smtp: "Arriving mail (SMTP)",
  store: "Database",
  delivery: "Delivery",
};

/** Shows whether each part of the server is ready. */
export const HealthPanel = ({ health, problems }: Pick<OperatorOverview, "health" | "problems">) => (
  <SectionCard id={useId()} title="Health">
    {problems.map((problem) => (
      <Banner key={problem} kind="warning">
        {problem}
      </Banner>
    ))}
    <ul className={rows.rows}>
      {health.map(({ part, isReady }) => (
        <li key={part} className={rows.row}>
          <span>{partNames[part] ?? part}</span>
          <Badge kind={isReady ? "success" : "danger"} hasDot>
            {isReady ? "Ready" : "Not ready"}
          </Badge>
        </li>
      ))}
    </ul>
  </SectionCard>
);

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
        ? "No mail waits to be sent."
        : `The oldest waiting mail: ${relativeTime(Date.parse(queue.oldest), asOf)}.`
    }
  >
    <StatList aria-label="Queue">
      <Stat label="Waiting" value={queue.waiting} />
      <Stat label="Deferred" value={queue.deferred} hint="to be tried again" />
      <Stat label="Failed" value={queue.failed} hint="in 24 hours" />
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
              {numberFormat.format(waiting)} waiting, {relativeTime(Date.parse(oldest), asOf)},{" "}
              {codes === "" ? "no answer" : `answer ${codes}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
};

const columns = ["accepted", "delivered", "refused", "spam"] as const;
const columnNames = { accepted: "Accepted", delivered: "Delivered", refused: "Refused", spam: "Spam" };

/** Shows the mail of today and yesterday. */
export const MailPanel = ({ days }: { readonly days: OperatorOverview["mail"] }) => {
  const id = useId();
  const isEmpty = days.every((day) => columns.every((column) => day[column] === 0));
  return (
    <SectionCard
      id={id}
      title="Mail"
      text="Days in UTC. Accepted mail may lead to several delivered copies or to none; spam is part of the refused mail."
    >
      {isEmpty ? (
        <p className={styles.muted}>No mail has arrived today or yesterday.</p>
      ) : (
        <table className={styles.table} aria-labelledby={id}>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {columnNames[column]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.day}>
                <th scope="row">{dayFormat.format(Date.parse(day.day))}</th>
                {columns.map((column) => (
                  <td key={column}>{numberFormat.format(day[column])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </SectionCard>
  );
};

/** Shows the number of accounts, all and by plan. */
export const UsersPanel = ({ users }: Pick<OperatorOverview, "users">) => (
  <SectionCard
    id={useId()}
    title="Users"
    aside={<span>{numberFormat.format(users.reduce((sum, { count }) => sum + count, 0))} in all</span>}
  >
    <ul className={rows.rows}>
      {users.map(({ tier, count }) => (
        <li key={tier} className={rows.row}>
          <span>{labelOf[parseTier(tier)]}</span>
          <span>{numberFormat.format(count)}</span>
        </li>
      ))}
    </ul>
  </SectionCard>
);

/** Shows the running version, and what the installed one changes after a restart. */
export const VersionPanel = ({ version }: Pick<OperatorOverview, "version">) => {
  const { running, installed, changes } = version;
  const isOutdated = installed !== running;
  return (
    <SectionCard
      id={useId()}
      title="Version"
      aside={
        <Badge kind={isOutdated ? "warning" : "neutral"}>
          {isOutdated ? `${running}, restart for ${installed}` : running}
        </Badge>
      }
      text={
        isOutdated
          ? "A newer version is installed. It runs after a restart."
          : "The installed version is running. The server asks nobody for newer ones."
      }
    >
      {changes.map(({ version: name, entries }) => (
        <details key={name} open={isOutdated}>
          <summary className={styles.summary}>
            What {/^\d/.test(name) ? name : "this version"} changes ({entries.length})
          </summary>
          <ul className={styles.changes}>
            {entries.map((entry) => (
              <li key={entry}>{entry.replaceAll("`", "")}</li>
            ))}
          </ul>
        </details>
      ))}
      {changes.length === 0 && <p className={styles.muted}>No changelog is installed.</p>}
    </SectionCard>
  );
};

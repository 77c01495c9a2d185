import { useId } from "react";
import {
  explainFailedMails,
  explainFailedTls,
  type FailedMails,
  type FailedTls,
  type ReceiverReports,
  reportFigureDays,
} from "../../../core/operator/receiverReports.ts";
import { formatNumber } from "../../format/numbers.ts";
import rows from "../../ui/layout/Rows.module.css";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { Stat, StatList } from "../../ui/Stat.tsx";
import { AdviceText } from "./AdviceText.tsx";
import styles from "./operator.module.css";

interface ReceiverReportsPanelProps {
  readonly reports: ReceiverReports;
}

/** Shows what receivers report of mail in the name of our domains, and senders of TLS: who refuses what, and why. */
export const ReceiverReportsPanel = ({ reports: { dmarc, tls } }: ReceiverReportsPanelProps) => {
  const isEmpty = dmarc.reports + tls.reports === 0;
  return (
    <SectionCard
      id={useId()}
      title="Reports of receivers"
      text={`Of the last ${reportFigureDays} days: what other servers report about mail from your domains, and about TLS to this server.`}
    >
      {isEmpty ? (
        <p className={styles.muted}>
          No reports yet. Receivers send one a day to the addresses in your DMARC and TLS records.
        </p>
      ) : (
        <>
          <StatList aria-label="Reports of receivers">
            <Stat label="Mails" value={dmarc.mails} hint={`in ${formatNumber(dmarc.reports)} reports`} />
            <Stat label="Passed" value={dmarc.passed} hint="SPF or DKIM" />
            <Stat
              label="Connections"
              value={tls.connections}
              hint={`in ${formatNumber(tls.reports)} reports`}
            />
            <Stat label="Without TLS" value={tls.failed} />
          </StatList>
          <Failures dmarc={dmarc} tls={tls} />
        </>
      )}
    </SectionCard>
  );
};

const senderOf = ({ sourceIp, isOwn }: FailedMails): string => {
  if (sourceIp === "") return "several addresses";
  return isOwn ? `this server, ${sourceIp}` : sourceIp;
};

const mailsText = (failed: FailedMails): string =>
  `${formatNumber(failed.count)} of ${failed.domain} from ${senderOf(failed)}`;

const tlsText = ({ count, domain, result }: FailedTls): string =>
  `${formatNumber(count)} connections to ${domain}: ${result}`;

interface FailureRowProps {
  readonly failed: Pick<FailedMails | FailedTls, "reporter" | "isProven">;
  readonly what: string;
  readonly advice: string;
}

const FailureRow = ({ failed: { reporter, isProven }, what, advice }: FailureRowProps) => (
  <li className={rows.row}>
    <span className={rows.words}>
      <span>
        {reporter}
        {!isProven && " (unproven)"}
      </span>
      <span className={rows.aside}>{what}</span>
      <span className={styles.advice}>
        <AdviceText text={advice} />
      </span>
    </span>
  </li>
);

/** Lists what failed, with what it means. */
const Failures = ({ dmarc, tls }: ReceiverReports) => {
  const id = useId();
  if (dmarc.failed.length + tls.failures.length === 0)
    return <p className={styles.muted}>Nothing was refused.</p>;
  return (
    <>
      <h3 id={id} className={styles.subtitle}>
        What failed
      </h3>
      <ul className={rows.rows} aria-labelledby={id}>
        {dmarc.failed.map((failed) => (
          <FailureRow
            key={JSON.stringify(failed)}
            failed={failed}
            what={mailsText(failed)}
            advice={explainFailedMails(failed)}
          />
        ))}
        {tls.failures.map((failed) => (
          <FailureRow
            key={JSON.stringify(failed)}
            failed={failed}
            what={tlsText(failed)}
            advice={explainFailedTls(failed)}
          />
        ))}
      </ul>
    </>
  );
};

import { awaitedRecords, isAwaitingRecords } from "../../../core/domains/checkRepeatedly.ts";
import type { Domain, DomainRecord, RecordPurpose } from "../../../core/domains/domain.ts";
import type { Domains } from "../../../core/domains/domains.ts";
import { clockTime } from "../../format/dates.ts";
import { useAction } from "../../react/useAction.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge, type BadgeProps } from "../../ui/Badge.tsx";
import { CopyableText } from "../../ui/CopyableText.tsx";
import styles from "../../ui/layout/ItemList.module.css";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";

const badges: Readonly<
  Record<DomainRecord["state"], { readonly kind: BadgeProps["kind"]; readonly text: string }>
> = {
  ok: { kind: "success", text: "OK" },
  warning: { kind: "warning", text: "Missing, optional" },
  problem: { kind: "danger", text: "Missing" },
  unknown: { kind: "neutral", text: "Unknown" },
};

const purposes: Readonly<Record<RecordPurpose, { readonly title: string; readonly why: string }>> = {
  proof: { title: "Proof", why: "proves that the domain is yours; keep it" },
  mail: { title: "Mail", why: "brings mail for the domain here; it must be the only MX record" },
  dkim: { title: "DKIM", why: "lets receivers check your replies" },
  spf: { title: "SPF", why: "says that this server may send for the domain" },
  dmarc: { title: "DMARC", why: "has forged mail of the domain refused or filtered" },
};

interface RecordRowProps {
  readonly record: DomainRecord;
  readonly feature: Domains;
}

/** A record with what it should be, what DNS answers, and buttons that copy it. */
const RecordRow = ({ record, feature }: RecordRowProps) => {
  const { purpose, type, name, value, state, is } = record;
  const { title, why } = purposes[purpose];
  const { kind, text } = badges[state];
  const copied = useObservable(feature.copied$);
  const copy = useAction(feature.copy);
  return (
    <ItemRow
      title={
        <>
          {title}
          <Badge kind={kind} hasDot>
            {text}
          </Badge>
        </>
      }
      text={
        <>
          {type} record: {why}.
        </>
      }
      details={
        <>
          <CopyableText
            text={name}
            label={`Copy the name of the ${title} record:`}
            size="small"
            onCopy={() => copy.run(name)}
            isCopied={copied === name}
          />
          <CopyableText
            text={value}
            label={`Copy the value of the ${title} record:`}
            size="small"
            onCopy={() => copy.run(value)}
            isCopied={copied === value}
          />
          {state !== "ok" && is !== "" && <span className={styles.text}>DNS answers: {is}</span>}
        </>
      }
    />
  );
};

interface DomainRecordsProps {
  readonly domain: Domain;
  readonly feature: Domains;
}

/** The records that a domain needs, and what DNS answers for them. */
export const DomainRecords = ({ domain, feature }: DomainRecordsProps) => (
  <section aria-labelledby="domain-records">
    <h3 id="domain-records">Records</h3>
    <ItemList label="Records">
      {domain.records.map((record) => (
        <RecordRow key={record.purpose} record={record} feature={feature} />
      ))}
    </ItemList>
    <p className={styles.text}>
      {domain.checkedAt !== null && `Checked at ${clockTime(Date.parse(domain.checkedAt))}. `}
      {isAwaitingRecords(domain) && awaitedRecords("window")}
    </p>
  </section>
);

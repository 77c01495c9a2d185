import { Bars } from "../../charts/Bars.tsx";
import { relativeTime } from "../../format/dates.ts";
import { formatCount } from "../../format/numbers.ts";
import { Badge } from "../../ui/Badge.tsx";
import { NothingYet, Panel, PanelPart } from "../../ui/layout/Panel.tsx";
import styles from "../../ui/layout/Rows.module.css";
import { CreateRule } from "../rules/form/CreateRule.tsx";
import { categoryName, type Figures } from "./figures.ts";
import { useInsightsLinks } from "./useInsightsLinks.ts";

const maxSenders = 8;
const maxMails = 3;

const outcomeNames: Readonly<Record<string, string>> = {
  forwarded: "Forwarded",
  blocked: "Blocked",
  archived: "Archived",
  digest: "In the hourly batch",
  dropped: "Not forwarded",
};

interface SendersProps {
  readonly figures: Figures;
  readonly since: string;
  readonly isOneMask: boolean;
}

/** Shows who sends mail, to how many masks, and the newest mails. */
export const Senders = ({ figures, since, isOneMask }: SendersProps) => {
  const links = useInsightsLinks();
  const all = (figures.senders ?? []).toSorted((one, other) => other.received - one.received);
  const senders = all.slice(0, maxSenders);
  const mails = figures.recentEmails.slice(0, maxMails);
  return (
    <Panel
      title="Who writes to you"
      hint={`Senders by the domain of their address, and their emails that were not blocked, ${since}.`}
    >
      {senders.length === 0 && mails.length === 0 && <NothingYet>Fills with the next email.</NothingYet>}
      {senders.length > 0 && (
        <Bars
          name="Emails by sender"
          of="Sender"
          parts={[{ label: "Emails", series: 1 }]}
          bars={senders.map(({ domain, received, masks }) => ({
            key: domain,
            label: domain,
            values: [received],
            note: masks > 1 && !isOneMask ? `writes to ${formatCount(masks, "mask")}` : undefined,
          }))}
        />
      )}
      {all.length > senders.length && (
        <p className={styles.aside}>And {formatCount(all.length - senders.length, "more sender")}.</p>
      )}
      {mails.length > 0 && (
        <PanelPart title="Newest mail">
          <ul className={styles.rows}>
            {mails.map(({ date, maskId, senderDomain, category, outcome }) => (
              <li key={`${date} ${maskId} ${senderDomain}`} className={styles.row}>
                <span className={styles.words}>
                  <span>{senderDomain || "Sender unknown"}</span>
                  <span className={styles.aside}>
                    {[
                      ...(isOneMask ? [] : [links.maskName(maskId) ?? "a deleted mask"]),
                      ...(category === null ? [] : [categoryName(category)]),
                      relativeTime(Date.parse(date), Date.now()),
                    ].join(" · ")}
                  </span>
                </span>
                {senderDomain !== "" && links.maskName(maskId) !== undefined && (
                  <CreateRule maskId={maskId} sender={{ address: senderDomain }} />
                )}
                <Badge kind={outcome === "blocked" ? "danger" : "neutral"}>
                  {outcomeNames[outcome] ?? outcome}
                </Badge>
              </li>
            ))}
          </ul>
        </PanelPart>
      )}
    </Panel>
  );
};

import { Bars } from "../charts/Bars.tsx";
import { Badge } from "../ui/Badge.tsx";
import { momentAgo } from "../wording/moments.ts";
import { categoryName } from "./categoryName.ts";
import { counting } from "./counted.ts";
import type { Figures } from "./insightsPart.ts";
import { NothingYet, Panel, PanelPart } from "./Panel.tsx";
import styles from "./Rows.module.css";
import { usePlaces } from "./usePlaces.ts";

const mostSenders = 8;
const mostMails = 5;

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

/** Who writes, and to how many masks; and what came last. */
export const Senders = ({ figures, since, isOneMask }: SendersProps) => {
  const places = usePlaces();
  const all = (figures.senders ?? []).toSorted((one, other) => other.received - one.received);
  const senders = all.slice(0, mostSenders);
  const mails = figures.recentEmails.slice(0, mostMails);
  return (
    <Panel
      title="Who Writes to You"
      hint={`Senders by the domain of their address, and the mails of theirs that were not blocked, ${since}.`}
    >
      {senders.length === 0 && mails.length === 0 && (
        <NothingYet>Nobody has written yet. Whoever does stands here.</NothingYet>
      )}
      {senders.length > 0 && (
        <Bars
          name="Mails by sender"
          of="Sender"
          parts={[{ label: "Mails", series: 1 }]}
          bars={senders.map(({ domain, received, masks }) => ({
            key: domain,
            label: domain,
            values: [received],
            note: masks > 1 && !isOneMask ? `writes to ${counting(masks, "mask")}` : undefined,
          }))}
        />
      )}
      {all.length > senders.length && (
        <p className={styles.aside}>And {counting(all.length - senders.length, "more sender")}.</p>
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
                      ...(isOneMask ? [] : [places.maskName(maskId) ?? "a mask that is gone"]),
                      ...(category === null ? [] : [categoryName(category)]),
                      momentAgo(Date.parse(date), Date.now()),
                    ].join(" · ")}
                  </span>
                </span>
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

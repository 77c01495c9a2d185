import { Bars } from "../../charts/Bars.tsx";
import { relativeTime } from "../../format/dates.ts";
import { Badge } from "../../ui/Badge.tsx";
import { FoldedPart, NothingYet, Panel, PanelPart } from "../../ui/layout/Panel.tsx";
import styles from "../../ui/layout/Rows.module.css";
import type { Figures } from "./figures.ts";
import { useInsightsLinks } from "./useInsightsLinks.ts";

/** Numbers of entries shown (IN5). */
const maxReasons = 5;
const maxEvents = 5;
const maxMasks = 3;

const levelKind = { high: "danger", medium: "warning", low: "neutral" } as const;
const badgeKind = (level: string) => levelKind[level as keyof typeof levelKind] ?? "neutral";

const checks = ["spf", "dkim", "dmarc", "arc"] as const;

/** Most mail is forwarded by nobody and has no ARC seal: only seals say something. */
const saysSomething = (check: string, [passed, failed, others]: readonly [number, number, number]): boolean =>
  passed + failed > 0 || (check !== "arc" && others > 0);

const countOutcomes = (
  verdicts: Readonly<Record<string, number>>,
  check: string,
): readonly [number, number, number] => {
  const entries = Object.entries(verdicts).filter(([verdict]) => verdict.startsWith(`${check}=`));
  const sum = (isCounted: (result: string) => boolean): number =>
    entries.reduce(
      (all, [verdict, count]) => all + (isCounted(verdict.slice(check.length + 1)) ? count : 0),
      0,
    );
  return [
    sum((result) => result === "pass"),
    sum((result) => result === "fail"),
    sum((result) => result !== "pass" && result !== "fail"),
  ];
};

interface SecurityInsightsProps {
  readonly figures: Figures;
  readonly since: string;
  readonly isOneMask: boolean;
}

/** Shows which mail was blocked and why, and the results of sender authentication (IN5). */
export const SecurityInsights = ({ figures, since, isOneMask }: SecurityInsightsProps) => {
  const links = useInsightsLinks();
  const reasons = (figures.blockReasons ?? [])
    .toSorted((one, other) => other.count - one.count)
    .slice(0, maxReasons);
  const events = (figures.securityEvents ?? []).slice(0, maxEvents);
  const verdicts = checks
    .map((check) => ({ check, values: countOutcomes(figures.verdicts ?? {}, check) }))
    .filter(({ check, values }) => saysSomething(check, values));
  const masks = (figures.masks ?? [])
    .filter(({ blocked }) => blocked > 0)
    .toSorted((one, other) => other.blocked - one.blocked)
    .slice(0, maxMasks);
  const hasMasks = !isOneMask && masks.length > 1;
  const isEmpty = reasons.length === 0 && events.length === 0 && verdicts.length === 0 && !hasMasks;
  return (
    <Panel
      title="Security Insights"
      hint={`Mail that was blocked, or whose sender was not verified, ${since}.`}
    >
      {isEmpty && <NothingYet>Fills when an email is blocked.</NothingYet>}
      {reasons.length > 0 && (
        <PanelPart title="Top block reasons">
          <Bars
            name="Top block reasons"
            of="Reason"
            parts={[{ label: "Blocked", series: 5 }]}
            bars={reasons.map(({ reason, count }) => ({ key: reason, label: reason, values: [count] }))}
          />
        </PanelPart>
      )}
      {events.length > 0 && (
        <FoldedPart title="Recent security events">
          <ul className={styles.rows}>
            {events.map(({ date, maskId, threatLevel, reason }) => (
              <li key={`${date} ${maskId} ${reason}`} className={styles.row}>
                <span className={styles.words}>
                  <span>{reason}</span>
                  <span className={styles.aside}>
                    {[
                      ...(isOneMask ? [] : [links.maskName(maskId) ?? "a deleted mask"]),
                      relativeTime(Date.parse(date), Date.now()),
                    ].join(" · ")}
                  </span>
                </span>
                <Badge kind={badgeKind(threatLevel)}>{threatLevel} threat</Badge>
              </li>
            ))}
          </ul>
        </FoldedPart>
      )}
      {hasMasks && (
        <FoldedPart title="Masks with most blocked mail">
          <Bars
            name="Blocked mail, by mask"
            of="Mask"
            parts={[{ label: "Blocked", series: 5 }]}
            bars={masks.map(({ id, description, blocked }) => ({
              key: id,
              label: description,
              values: [blocked],
              link: links.mask(id),
            }))}
          />
        </FoldedPart>
      )}
      {verdicts.length > 0 && (
        <FoldedPart title="Was mail from the sender it named?">
          <Bars
            name="Checks of senders"
            of="Check"
            parts={[
              { label: "Passed", series: 4 },
              { label: "Failed", series: 5 },
              { label: "Not told", series: 7 },
            ]}
            bars={verdicts.map(({ check, values }) => ({
              key: check,
              label: check.toUpperCase(),
              values,
            }))}
          />
        </FoldedPart>
      )}
    </Panel>
  );
};

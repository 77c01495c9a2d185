import { Bars } from "../charts/Bars.tsx";
import { Badge } from "../ui/Badge.tsx";
import { momentAgo } from "../wording/moments.ts";
import type { Figures } from "./insightsPart.ts";
import { NothingYet, Panel, PanelPart } from "./Panel.tsx";
import styles from "./Rows.module.css";
import { usePlaces } from "./usePlaces.ts";

/** IN5. */
const mostReasons = 5;
const mostEvents = 5;
const mostMasks = 3;

const levelKind = { high: "danger", medium: "warning", low: "neutral" } as const;
const kindOf = (level: string) => levelKind[level as keyof typeof levelKind] ?? "neutral";

const checks = ["spf", "dkim", "dmarc"] as const;

/** How often a check passed, failed, or said neither. */
const outcomes = (
  verdicts: Readonly<Record<string, number>>,
  check: string,
): readonly [number, number, number] => {
  const of = Object.entries(verdicts).filter(([verdict]) => verdict.startsWith(`${check}=`));
  const sum = (wanted: (result: string) => boolean): number =>
    of.reduce((all, [verdict, count]) => all + (wanted(verdict.slice(check.length + 1)) ? count : 0), 0);
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

/** What was stopped and why, and whether mail came from whom it said (IN5). */
export const SecurityInsights = ({ figures, since, isOneMask }: SecurityInsightsProps) => {
  const places = usePlaces();
  const reasons = (figures.blockReasons ?? [])
    .toSorted((one, other) => other.count - one.count)
    .slice(0, mostReasons);
  const events = (figures.securityEvents ?? []).slice(0, mostEvents);
  const verdicts = checks
    .map((check) => ({ check, values: outcomes(figures.verdicts ?? {}, check) }))
    .filter(({ values }) => values.some((count) => count > 0));
  const masks = (figures.masks ?? [])
    .filter(({ blocked }) => blocked > 0)
    .toSorted((one, other) => other.blocked - one.blocked)
    .slice(0, mostMasks);
  const isEmpty = reasons.length === 0 && events.length === 0 && verdicts.length === 0;
  return (
    <Panel title="Security Insights" hint={`Mail that was blocked or could not prove its sender, ${since}.`}>
      {isEmpty && (
        <NothingYet>Nothing has been blocked. What will be stands here, with the reason.</NothingYet>
      )}
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
        <PanelPart title="Recent security events">
          <ul className={styles.rows}>
            {events.map(({ date, maskId, threatLevel, reason }) => (
              <li key={`${date} ${maskId} ${reason}`} className={styles.row}>
                <span className={styles.words}>
                  <span>{reason}</span>
                  <span className={styles.aside}>
                    {[
                      ...(isOneMask ? [] : [places.maskName(maskId) ?? "a mask that is gone"]),
                      momentAgo(Date.parse(date), Date.now()),
                    ].join(" · ")}
                  </span>
                </span>
                <Badge kind={kindOf(threatLevel)}>{threatLevel} threat</Badge>
              </li>
            ))}
          </ul>
        </PanelPart>
      )}
      {!isOneMask && masks.length > 1 && (
        <PanelPart title="Masks with most blocked mail">
          <Bars
            name="Blocked mail, by mask"
            of="Mask"
            parts={[{ label: "Blocked", series: 5 }]}
            bars={masks.map(({ id, description, blocked }) => ({
              key: id,
              label: description,
              values: [blocked],
              onOpen: places.mask(id),
            }))}
          />
        </PanelPart>
      )}
      {verdicts.length > 0 && (
        <PanelPart title="Did mail come from whom it said?">
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
        </PanelPart>
      )}
    </Panel>
  );
};

import { useState } from "react";
import { lastDays } from "../../../core/insights/figures.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import { Columns } from "../../charts/Columns.tsx";
import { dayText, shortClockTime } from "../../format/dates.ts";
import { ChipGroup } from "../../ui/form/ChipGroup.tsx";
import { Panel } from "../../ui/layout/Panel.tsx";
import type { Figures } from "./figures.ts";

type Span = "7" | "30";

const spans: readonly { readonly value: Span; readonly label: string }[] = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
];

interface DailyMailProps {
  readonly figures: Figures;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Says when the days begin, which are those of UTC. */
const daysBegin = (now: number): string => {
  const midnight = Math.floor(now / dayMs) * dayMs;
  return new Date(midnight).getTimezoneOffset() === 0
    ? "days begin at midnight UTC"
    : `days begin at ${shortClockTime(midnight)}, midnight UTC`;
};

/** Shows the mail received each day by result. */
export const DailyMail = ({ figures, now }: DailyMailProps) => {
  const [span, setSpan] = useState<Span>("30");
  const days = lastDays(figures.byDay ?? [], Number(span), now);
  const firstCounted = figures.since?.slice(0, 10) ?? "";
  return (
    <Panel title="Mail by day" hint={`Mail received each day; ${daysBegin(now)}.`}>
      <ChipGroup label="How far back" chips={spans} value={span} onChange={setSpan} />
      <Columns
        name={`Mail of the last ${span} days`}
        of="Day"
        parts={[
          { label: "Forwarded", series: 1 },
          { label: "Blocked", series: 5 },
          { label: "Other", series: 7 },
        ]}
        columns={days.map(({ day, received, forwarded, blocked }) => ({
          key: day,
          label: dayText(day, "short"),
          longLabel: dayText(day, "long"),
          note: day < firstCounted ? "Not counted yet" : undefined,
          values: [forwarded, blocked, Math.max(0, received - forwarded - blocked)],
        }))}
      />
    </Panel>
  );
};

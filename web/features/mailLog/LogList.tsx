import type { LogEntry } from "../../../core/mailLog/logEntry.ts";
import { longDate } from "../../format/dates.ts";
import { useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { MailLines } from "../../ui/layout/MailLine.tsx";
import styles from "../../ui/layout/MailList.module.css";
import { LogEntryItem } from "./LogEntryItem.tsx";

interface LogListProps {
  readonly entries: readonly LogEntry[];
  /** True if entries name their mask. */
  readonly namesMasks: boolean;
}

interface Day {
  readonly day: string;
  readonly entries: LogEntry[];
}

/** The days of entries that are in the order of their time. */
const byDay = (entries: readonly LogEntry[]): readonly Day[] => {
  const days: Day[] = [];
  for (const entry of entries) {
    const day = longDate(entry.at);
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
};

/** The entries of the log by day, newest first. */
export const LogList = ({ entries, namesMasks }: LogListProps) => {
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  return (
    <>
      {byDay(entries).map(({ day, entries: ofDay }) => (
        <section key={day} aria-label={day}>
          <h2 className={styles.intro}>{day}</h2>
          <MailLines label={`Mail of ${day}`}>
            {ofDay.map((entry) => (
              <LogEntryItem
                key={entry.id}
                entry={entry}
                mask={all.find(({ id }) => id === entry.maskId)}
                namesMask={namesMasks}
              />
            ))}
          </MailLines>
        </section>
      ))}
    </>
  );
};

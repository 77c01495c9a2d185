import type { LogEntry } from "../../../core/mailLog/logEntry.ts";
import { longDate } from "../../format/dates.ts";
import { useOpening } from "../../loading/useOpening.ts";
import { useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import styles from "../../ui/layout/MailList.module.css";
import { LogEntryItem } from "./LogEntryItem.tsx";
import { WhyDialog } from "./WhyDialog.tsx";

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

/** The entries of the log by day, newest first, and the dialog that explains one. */
export const LogList = ({ entries, namesMasks }: LogListProps) => {
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const why = useOpening<LogEntry>();
  const maskOf = ({ maskId }: LogEntry): string =>
    all.find(({ id }) => id === maskId)?.maskEmail ?? (maskId === "" ? "No mask" : "A deleted mask");
  /** The entry as it is now: its delivery may have gone on. */
  const shown = entries.find(({ id }) => id === why.opened?.target.id) ?? why.opened?.target;
  return (
    <>
      {byDay(entries).map(({ day, entries: ofDay }) => (
        <section key={day} aria-label={day}>
          <h2 className={styles.intro}>{day}</h2>
          <ul className={styles.list} aria-label={`Mail of ${day}`}>
            {ofDay.map((entry) => (
              <LogEntryItem
                key={entry.id}
                entry={entry}
                mask={namesMasks ? maskOf(entry) : undefined}
                onWhy={() => why.open(entry)}
              />
            ))}
          </ul>
        </section>
      ))}
      {why.opened && shown && (
        <WhyDialog
          key={why.opened.key}
          entry={shown}
          mask={maskOf(shown)}
          isOpen={why.isOpen}
          onClose={why.close}
        />
      )}
    </>
  );
};

import { useEffect, useRef, useState } from "react";
import type { App } from "../../core/app.ts";
import { useApp } from "../binding/useApp.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { clockTime } from "../wording/moments.ts";
import styles from "./DiagnosisPanel.module.css";

type Diagnosis = Awaited<ReturnType<App["realtime"]["diagnose"]>>;

const noCode = "A part of the app could not be loaded. Check your connection, then refresh the page.";

/** The last answer to `diagnose`, and how to ask again; undefined while the first is awaited. */
const useDiagnosis = () => {
  const { realtime } = useApp();
  const [diagnosis, setDiagnosis] = useState<Diagnosis | undefined>(undefined);
  const [asked, setAsked] = useState(1);
  const [answered, setAnswered] = useState(0);
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    void realtime.diagnose().then((found) => {
      if (!isHere.current) return;
      setDiagnosis(found);
      setAnswered(asked);
    });
    return () => {
      isHere.current = false;
    };
  }, [realtime, asked]);
  return { diagnosis, isAsking: answered < asked, ask: () => setAsked((count) => count + 1) };
};

const Findings = ({ found }: { readonly found: NonNullable<Diagnosis> }) => (
  <dl className={styles.findings}>
    <dt>Checked at</dt>
    <dd>{clockTime(found.at)}</dd>
    <dt>Server</dt>
    <dd>{found.answeredAfterMs === null ? "No answer" : `Answered in ${found.answeredAfterMs} ms`}</dd>
    <dt>Error</dt>
    <dd>{found.error ?? "None"}</dd>
    {found.lastClose !== null && (
      <>
        <dt>Last closed</dt>
        <dd>{found.lastClose}</dd>
      </>
    )}
  </dl>
);

/** What can be found out about the connection: a time, any error, and the last events in plain words (SH2). */
export const DiagnosisPanel = () => {
  const { diagnosis, isAsking, ask } = useDiagnosis();
  return (
    <Card as="section" padding="normal" aria-label="Diagnosis" className={styles.panel}>
      <div className={styles.head}>
        <h2 className={styles.title}>Diagnosis</h2>
        <Button size="small" variant="quiet" onPress={ask} isPending={isAsking}>
          Check again
        </Button>
      </div>
      <div role="status">
        {diagnosis === undefined && <p className={styles.hint}>Checking the connection…</p>}
        {diagnosis === null && <p>{noCode}</p>}
        {diagnosis && <Findings found={diagnosis} />}
      </div>
      {diagnosis && diagnosis.events.length > 0 && (
        <>
          <h3 className={styles.subtitle}>Last events</h3>
          <ol className={styles.events}>
            {diagnosis.events.map((event, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two events may be the same in all but their place
              <li key={at} className={styles.event}>
                <time dateTime={new Date(event.at).toISOString()}>{clockTime(event.at)}</time>
                <span>{event.text}</span>
              </li>
            ))}
          </ol>
        </>
      )}
    </Card>
  );
};

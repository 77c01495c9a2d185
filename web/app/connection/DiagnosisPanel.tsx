import { useEffect, useRef, useState } from "react";
import { createDiagnose, type Diagnosis } from "../../../core/realtime/diagnosis.ts";
import { clockTime } from "../../format/dates.ts";
import { useFeature } from "../../react/useApp.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import styles from "./DiagnosisPanel.module.css";

interface DiagnosisPanelProps {
  readonly onDiagnosed: (diagnosis: Diagnosis) => void;
}

const useDiagnosis = ({ onDiagnosed }: DiagnosisPanelProps) => {
  const diagnose = useFeature(createDiagnose);
  const [diagnosis, setDiagnosis] = useState<Diagnosis | undefined>(undefined);
  const [requestCount, setRequestCount] = useState(1);
  const [answerCount, setAnswerCount] = useState(0);
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    void diagnose().then((result) => {
      if (!isMounted.current) return;
      setDiagnosis(result);
      onDiagnosed(result);
      setAnswerCount(requestCount);
    });
    return () => {
      isMounted.current = false;
    };
  }, [diagnose, requestCount, onDiagnosed]);
  return {
    diagnosis,
    isChecking: answerCount < requestCount,
    checkAgain: () => setRequestCount((count) => count + 1),
  };
};

const Findings = ({ diagnosis }: { readonly diagnosis: Diagnosis }) => (
  <dl className={styles.findings}>
    <dt>Checked at</dt>
    <dd>{clockTime(diagnosis.at)}</dd>
    <dt>Server</dt>
    <dd>
      {diagnosis.answeredAfterMs === null ? "No answer" : `Answered in ${diagnosis.answeredAfterMs} ms`}
    </dd>
    <dt>Error</dt>
    <dd>{diagnosis.error ?? "None"}</dd>
    {diagnosis.lastClose !== null && (
      <>
        <dt>Last closed</dt>
        <dd>{diagnosis.lastClose}</dd>
      </>
    )}
  </dl>
);

/** The connection diagnosis: its time, any error and the latest connection events (SH2). */
export const DiagnosisPanel = (props: DiagnosisPanelProps) => {
  const { diagnosis, isChecking, checkAgain } = useDiagnosis(props);
  return (
    <Card as="section" aria-label="Diagnosis" className={styles.panel}>
      <div className={styles.head}>
        <h2 className={styles.title}>Diagnosis</h2>
        <Button size="small" variant="quiet" onPress={checkAgain} isPending={isChecking}>
          Check again
        </Button>
      </div>
      <div role="status">
        {diagnosis === undefined && <p className={styles.hint}>Checking the connection…</p>}
        {diagnosis && <Findings diagnosis={diagnosis} />}
      </div>
      {diagnosis && diagnosis.events.length > 0 && (
        <>
          <h3 className={styles.subtitle}>Last events</h3>
          <ol className={styles.events}>
            {diagnosis.events.map((event, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two events may be equal, so only the position is unique
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

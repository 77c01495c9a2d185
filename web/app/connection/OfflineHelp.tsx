import { useEffect, useId, useRef, useState } from "react";
import type { Diagnosis } from "../../../core/realtime/diagnosis.ts";
import { createChunk } from "../../loading/chunk.ts";
import { Lazy } from "../../loading/Lazy.tsx";
import { useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import styles from "./OfflineHelp.module.css";

const diagnosisPanel = createChunk(
  () => import("./DiagnosisPanel.tsx"),
  (module) => module.DiagnosisPanel,
);

const diagnosisSkeleton = (
  <SkeletonRegion label="Loading the diagnosis">
    <Skeleton height="part" shape="block" />
  </SkeletonRegion>
);

/** By then the first content has loaded. */
const prefetchAfterMs = 5_000;

const OfflineBanner = () => {
  const { realtime } = useSignedIn();
  const state = useObservable(realtime.state$);
  const [isDiagnosing, setDiagnosing] = useState(false);
  const [diagnosis, setDiagnosis] = useState<Diagnosis | null>(null);
  const serverAnswers = diagnosis !== null && diagnosis.answeredAfterMs !== null;
  const panelId = useId();
  return (
    <>
      <Banner
        kind="warning"
        action={
          <>
            <Button size="small" onPress={realtime.reconnect} isPending={state === "connecting"}>
              Reconnect
            </Button>
            <Button
              size="small"
              variant="quiet"
              onPress={() => setDiagnosing(!isDiagnosing)}
              aria-expanded={isDiagnosing}
              aria-controls={panelId}
            >
              Diagnose
            </Button>
          </>
        }
      >
        {serverAnswers ? "There is no live connection to the server." : "You are offline."} What you see may
        be out of date.
      </Banner>
      <div id={panelId} hidden={!isDiagnosing}>
        {isDiagnosing && (
          <Lazy chunk={diagnosisPanel} skeleton={diagnosisSkeleton}>
            {(DiagnosisPanel) => <DiagnosisPanel onDiagnosed={setDiagnosis} />}
          </Lazy>
        )}
      </div>
    </>
  );
};

/**
 * A banner with the actions Reconnect and Diagnose once the page has been offline for 3 s (SH2). The diagnosis code is
 * prefetched while there is a connection. When the banner disappears with the focus inside, its place gets the focus.
 */
export const OfflineHelp = () => {
  const { realtime } = useSignedIn();
  const isConnected = useObservable(realtime.state$) === "connected";
  const isNeeded = useObservable(realtime.needsHelp$);
  const container = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    if (!isConnected) return;
    const timer = setTimeout(diagnosisPanel.prefetch, prefetchAfterMs);
    return () => clearTimeout(timer);
  }, [isConnected]);
  useEffect(() => {
    if (!isNeeded && hadFocus.current) container.current?.focus({ preventScroll: true });
    hadFocus.current = false;
  }, [isNeeded]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only track whether the focus is inside
    <div
      ref={container}
      tabIndex={-1}
      className={styles.place}
      onFocus={() => {
        hadFocus.current = isNeeded;
      }}
      onBlur={(event) => {
        if (event.relatedTarget !== null) hadFocus.current = false;
      }}
    >
      {isNeeded && <OfflineBanner />}
    </div>
  );
};

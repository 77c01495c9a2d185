import { useEffect, useId, useRef, useState } from "react";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { makeChunk } from "../loading/chunk.ts";
import { Late } from "../loading/Late.tsx";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { SkeletonRegion } from "../ui/SkeletonRegion.tsx";
import styles from "./OfflineHelp.module.css";

const diagnosis = makeChunk(
  () => import("./DiagnosisPanel.tsx"),
  (module) => module.DiagnosisPanel,
);

const loading = (
  <SkeletonRegion label="Loading the diagnosis">
    <Skeleton height="6rem" shape="block" />
  </SkeletonRegion>
);

const Help = () => {
  const { realtime } = useApp();
  const state = useObservable(realtime.state$);
  const [isDiagnosing, setDiagnosing] = useState(false);
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
        You are offline. What you see may be out of date.
      </Banner>
      <div id={panelId} hidden={!isDiagnosing}>
        {isDiagnosing && <Late chunk={diagnosis} skeleton={loading} />}
      </div>
    </>
  );
};

/**
 * What can be done about being offline, once that has lasted 3 s (SH2). The diagnosis is fetched while there is a
 * connection: afterwards it may be too late for that. A focus in it is not lost when it goes.
 */
export const OfflineHelp = () => {
  const { realtime } = useApp();
  const isConnected = useObservable(realtime.state$) === "connected";
  const isNeeded = useObservable(realtime.needsHelp$);
  const place = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    if (isConnected) diagnosis.prefetch();
  }, [isConnected]);
  useEffect(() => {
    if (!isNeeded && hadFocus.current) place.current?.focus({ preventScroll: true });
    hadFocus.current = false;
  }, [isNeeded]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only remembers whether the focus is inside
    <div
      ref={place}
      tabIndex={-1}
      className={styles.place}
      onFocus={() => {
        hadFocus.current = isNeeded;
      }}
      onBlur={(event) => {
        if (event.relatedTarget !== null) hadFocus.current = false;
      }}
    >
      {isNeeded && <Help />}
    </div>
  );
};

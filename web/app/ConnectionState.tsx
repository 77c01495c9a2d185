import { useSignedIn } from "../react/useApp.ts";
import { useObservable } from "../react/useObservable.ts";
import { classes } from "../ui/classes.ts";
import styles from "./ConnectionState.module.css";

const labels = { connected: "Connected", connecting: "Connecting", offline: "Offline" } as const;

/**
 * The state of the realtime connection (SH2). "Offline" stays until a connection succeeds, also during further attempts.
 * Renders an empty status while the connection is idle.
 */
export const ConnectionState = () => {
  const { realtime } = useSignedIn();
  const state = useObservable(realtime.state$);
  const isOffline = useObservable(realtime.isOffline$);
  const isShown = state !== "idle";
  const kind = isOffline ? "offline" : state === "connected" ? "connected" : "connecting";
  return (
    <span role="status" className={classes(styles.state, isShown && styles[kind])}>
      {isShown && (
        <>
          <span className={styles.dot} aria-hidden="true" />
          <span className={styles.word}>{labels[kind]}</span>
        </>
      )}
    </span>
  );
};

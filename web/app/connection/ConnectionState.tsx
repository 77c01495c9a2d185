import { useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { classes } from "../../ui/classes.ts";
import styles from "./ConnectionState.module.css";

const labels = {
  connected: "Connected",
  connecting: "Connecting",
  paused: "Paused",
  offline: "Offline",
} as const;

type Kind = keyof typeof labels;

const kindOf = (isConnected: boolean, isPaused: boolean, isOffline: boolean): Kind => {
  if (isConnected) return "connected";
  if (isPaused) return "paused";
  return isOffline ? "offline" : "connecting";
};

/**
 * The state of the realtime connection (SH2). "Offline" stays until a connection succeeds, also during further attempts.
 * "Paused" follows 10 minutes without activity and ends with the next focus, key or tap. Renders an empty status while the connection is idle.
 */
export const ConnectionState = () => {
  const { realtime } = useSignedIn();
  const state = useObservable(realtime.state$);
  const isOffline = useObservable(realtime.isOffline$);
  const isPaused = useObservable(realtime.isPaused$);
  const isShown = state !== "idle";
  const kind = kindOf(state === "connected", isPaused, isOffline);
  return (
    <span role="status" className={classes(styles.state, isShown && styles[kind])}>
      {isShown && (
        <>
          <span className={styles.dot} aria-hidden="true" />
          <span>{labels[kind]}</span>
        </>
      )}
    </span>
  );
};

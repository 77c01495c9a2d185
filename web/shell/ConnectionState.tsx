import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { classes } from "../ui/classes.ts";
import styles from "./ConnectionState.module.css";

const words = { connected: "Connected", connecting: "Connecting", offline: "Offline" } as const;

/**
 * Whether news reaches this page by itself at the moment (SH2). Offline stays offline until there is a connection
 * again, however often one is tried. Nothing to see while none is meant.
 */
export const ConnectionState = () => {
  const { realtime } = useApp();
  const state = useObservable(realtime.state$);
  const isOffline = useObservable(realtime.isOffline$);
  const isShown = state !== "idle";
  const kind = isOffline ? "offline" : state === "connected" ? "connected" : "connecting";
  return (
    <span role="status" className={classes(styles.state, isShown && styles[kind])}>
      {isShown && (
        <>
          <span className={styles.dot} aria-hidden="true" />
          <span className={styles.word}>{words[kind]}</span>
        </>
      )}
    </span>
  );
};

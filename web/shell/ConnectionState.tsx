import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { classes } from "../ui/classes.ts";
import styles from "./ConnectionState.module.css";

const words = { connected: "Connected", connecting: "Connecting", disconnected: "Offline" } as const;

/** Whether news reaches this page by itself at the moment (SH2). Nothing to see while no connection is meant. */
export const ConnectionState = () => {
  const state = useObservable(useApp().realtime.state$);
  const isShown = state !== "idle";
  return (
    <span role="status" className={classes(styles.state, isShown && styles[state])}>
      {isShown && (
        <>
          <span className={styles.dot} aria-hidden="true" />
          <span className={styles.word}>{words[state]}</span>
        </>
      )}
    </span>
  );
};

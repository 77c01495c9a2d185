import styles from "./Keycaps.module.css";

interface KeycapsProps {
  /** The keys, with a space between those that are pressed together: "Ctrl K". */
  readonly keys: string;
}

/** Keys, each drawn as the cap of one. */
export const Keycaps = ({ keys }: KeycapsProps) => (
  <span className={styles.keys}>
    {keys.split(" ").map((key, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: keys that are pressed together do not move
      <kbd key={at} className={styles.key}>
        {key}
      </kbd>
    ))}
  </span>
);

/** The keys of an action beside its name; a phone has none to press. */
export const KeyHint = (props: KeycapsProps) =>
  matchMedia("(pointer: coarse)").matches ? null : <Keycaps {...props} />;

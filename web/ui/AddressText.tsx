import styles from "./AddressText.module.css";

interface AddressTextProps {
  readonly text: string;
  /** What `text` is short for, shown on hover and on paper. */
  readonly whole?: string | undefined;
}

/** A text on one line, which is cut where there is no room: an address loses its domain before its local part. */
export const AddressText = ({ text, whole = text }: AddressTextProps) => {
  const at = Math.max(text.lastIndexOf("@"), 0);
  return (
    <span className={styles.text} title={whole}>
      {at > 0 && <span className={styles.local}>{text.slice(0, at)}</span>}
      <span className={styles.rest}>{text.slice(at)}</span>
    </span>
  );
};

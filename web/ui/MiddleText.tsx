import styles from "./MiddleText.module.css";

/** The number of characters before the "@" that stay with what follows it. */
const keptBeforeAt = 2;
/** So many characters are shown of the beginning at least. */
const shortestStart = 5;

const endOf = (text: string): number => {
  const at = text.lastIndexOf("@");
  return at < 0 ? Math.floor(text.length / 2) : Math.max(0, at - keptBeforeAt);
};

/** A text on one line that loses its middle where there is no room: of an address the beginning and the domain stay. */
export const MiddleText = ({ text }: { readonly text: string }) => {
  const found = endOf(text);
  // A short beginning stays with its end: two parts would take more room.
  const end = found < shortestStart ? 0 : found;
  return (
    <span className={styles.text} title={text}>
      {end > 0 && <span className={styles.start}>{text.slice(0, end)}</span>}
      <span className={styles.end}>{text.slice(end)}</span>
    </span>
  );
};

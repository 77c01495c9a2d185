import styles from "./Encryption.module.css";

/** A fingerprint in groups of four, as people compare them. */
export const Fingerprint = ({ of }: { readonly of: string }) => (
  <span className={styles.fingerprint}>{of.match(/.{1,4}/g)?.join(" ") ?? of}</span>
);

import styles from "./Encryption.module.css";

/** Shows a fingerprint in groups of four characters. */
export const Fingerprint = ({ value }: { readonly value: string }) => (
  <span className={styles.fingerprint}>{value.match(/.{1,4}/g)?.join(" ") ?? value}</span>
);

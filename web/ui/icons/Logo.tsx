import styles from "./Logo.module.css";

export interface LogoProps {
  /** Edge of the mark in px at the default text size; default 28. */
  readonly size?: number | undefined;
  /** The product's name, shown beside the mark. */
  readonly name?: string | undefined;
}

const pxInRem = 16;

/** Font size of the name as a share of the mark's edge. */
const nameScale = 0.6;

/** The logo: a white mask under a tricorn on a dark square, hidden from screen readers, and optionally the name as text. */
export const Logo = ({ size = 28, name }: LogoProps) => {
  const edge = `${size / pxInRem}rem`;
  return (
    <span className={styles.logo}>
      <svg
        className={styles.mark}
        viewBox="0 0 32 32"
        width={edge}
        height={edge}
        aria-hidden="true"
        focusable="false"
      >
        <rect className={styles.cloak} width="32" height="32" rx="8" />
        <path className={styles.brim} d="M3.7 6.5c3.5 2.7 7.7 3.8 12.3 3.8s8.8-1.1 12.3-3.8" />
        <path
          className={styles.light}
          d="M16 12.7c-3 0-5.9-.5-8.7-1.5-.6 3.5-.2 6.5.9 9 .2.5.2 1-.1 1.5l-1.3 2.1c-.4.6-.2 1.3.4 1.6l7.6 3.2c.4.2.8.3 1.2.3z"
        />
        <path
          className={styles.shade}
          d="M16 12.7c3 0 5.9-.5 8.7-1.5.6 3.5.2 6.5-.9 9-.2.5-.2 1 .1 1.5l1.3 2.1c.4.6.2 1.3-.4 1.6l-7.6 3.2c-.4.2-.8.3-1.2.3z"
        />
        <path
          className={styles.eyes}
          d="M9.7 17.3c1.7-1 3.8-.7 4.9.9-1.5 1.2-3.8 1-4.9-.9zM22.3 17.3c-1.7-1-3.8-.7-4.9.9 1.5 1.2 3.8 1 4.9-.9z"
        />
      </svg>
      {name !== undefined && (
        <span className={styles.name} style={{ fontSize: `${(size * nameScale) / pxInRem}rem` }}>
          {name}
        </span>
      )}
    </span>
  );
};

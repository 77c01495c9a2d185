import { Fragment } from "react";
import styles from "./CopyableText.module.css";
import { classes } from "./classes.ts";
import { CheckIcon } from "./icons/CheckIcon.tsx";
import { CopyIcon } from "./icons/CopyIcon.tsx";
import { VisuallyHidden } from "./VisuallyHidden.tsx";

export interface CopyableTextProps {
  /** What is copied, and what a screen reader reads. */
  readonly text: string;
  /** What is drawn, when that is shorter. */
  readonly shown?: string | undefined;
  /** The verb before the text in the button's name. */
  readonly label?: string | undefined;
  readonly onCopy: () => void;
  /** True for the moment after a copy: the sign changes and "Copied" is spoken. */
  readonly isCopied: boolean;
  readonly size?: "small" | "medium" | "large" | undefined;
  readonly isMuted?: boolean | undefined;
}

/** Where a long text may break before it has to break anywhere: in front of "@" and "/". */
const piecesOf = (text: string): readonly string[] => text.split(/(?=[@/])/);

/** A text that one press copies: monospace, the whole of it the button. It only shows; copying is the caller's. */
export const CopyableText = ({
  text,
  shown = text,
  label = "Copy",
  onCopy,
  isCopied,
  size = "medium",
  isMuted = false,
}: CopyableTextProps) => (
  <span className={styles.root}>
    <button
      type="button"
      className={classes(styles.button, styles[size], isMuted && styles.muted, isCopied && styles.copied)}
      aria-label={`${label} ${text}`}
      onClick={onCopy}
    >
      <span className={styles.text} title={shown === text ? undefined : text}>
        {piecesOf(shown).map((piece, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
          <Fragment key={at}>
            {at > 0 && <wbr />}
            {piece}
          </Fragment>
        ))}
      </span>
      <span className={styles.sign}>{isCopied ? <CheckIcon size={18} /> : <CopyIcon size={18} />}</span>
    </button>
    <span role="status">{isCopied && <VisuallyHidden>Copied</VisuallyHidden>}</span>
  </span>
);

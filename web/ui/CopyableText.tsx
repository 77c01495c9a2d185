import { Fragment } from "react";
import { AddressText } from "./AddressText.tsx";
import { Button, type ButtonSize, type ButtonVariant } from "./Button.tsx";
import styles from "./CopyableText.module.css";
import { classes } from "./classes.ts";
import { CheckIcon } from "./icons/CheckIcon.tsx";
import { CopyIcon } from "./icons/CopyIcon.tsx";
import { VisuallyHidden } from "./VisuallyHidden.tsx";

export interface CopyableTextProps {
  /** The text that is copied and that screen readers read. */
  readonly text: string;
  /** The text that is displayed, when it differs from `text`. */
  readonly shown?: string | undefined;
  /** The verb before the text in the button's accessible name. */
  readonly label?: string | undefined;
  readonly onCopy: () => void;
  /** True for a moment after a copy: the icon changes and screen readers announce "Copied". */
  readonly isCopied: boolean;
  readonly size?: "small" | "medium" | "large" | undefined;
  readonly isMuted?: boolean | undefined;
  /** Stays on one line, and is cut where there is no room; "tight" has its sign over its end when it is pointed at. */
  readonly oneLine?: "roomy" | "tight" | undefined;
}

/** Splits a long text where a line break is preferred: before "@" and "/". */
const piecesOf = (text: string): readonly string[] => text.split(/(?=[@/])/);

/** Monospace text that is a button for copying itself. The caller does the copying in `onCopy`. */
export const CopyableText = ({
  text,
  shown = text,
  label = "Copy",
  onCopy,
  isCopied,
  size = "medium",
  isMuted = false,
  oneLine,
}: CopyableTextProps) => (
  <span className={styles.root}>
    <button
      type="button"
      className={classes(
        styles.button,
        styles[size],
        oneLine && styles[oneLine],
        isMuted && styles.muted,
        isCopied && styles.copied,
      )}
      aria-label={`${label} ${text}`}
      data-copy="true"
      onClick={onCopy}
    >
      {oneLine ? (
        <AddressText text={shown} whole={text} />
      ) : (
        <span className={styles.text} title={shown === text ? undefined : text}>
          {piecesOf(shown).map((piece, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a piece is identified by its position
            <Fragment key={at}>
              {at > 0 && <wbr />}
              {piece}
            </Fragment>
          ))}
        </span>
      )}
      <span className={styles.sign}>{isCopied ? <CheckIcon size={18} /> : <CopyIcon size={18} />}</span>
    </button>
    <span role="status">{isCopied && <VisuallyHidden>Copied</VisuallyHidden>}</span>
  </span>
);

export interface CopyButtonProps {
  /** "Copy address". */
  readonly label: string;
  readonly onCopy: () => void;
  readonly isCopied: boolean;
  readonly variant?: ButtonVariant | undefined;
  readonly size?: ButtonSize | undefined;
}

/** A labeled button for copying something shown elsewhere. After a copy its icon changes and screen readers announce "Copied". */
export const CopyButton = ({ label, onCopy, isCopied, variant, size }: CopyButtonProps) => (
  <>
    <Button
      variant={variant}
      size={size}
      onPress={onCopy}
      icon={isCopied ? <CheckIcon size={18} /> : <CopyIcon size={18} />}
    >
      {label}
    </Button>
    <span role="status">{isCopied && <VisuallyHidden>Copied</VisuallyHidden>}</span>
  </>
);

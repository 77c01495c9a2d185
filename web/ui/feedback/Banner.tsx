import type { ReactNode } from "react";
import { classes } from "../classes.ts";
import { IconButton } from "../IconButton.tsx";
import { CloseIcon } from "../icons/CloseIcon.tsx";
import { KindIcon, type NoticeKind } from "../icons/KindIcon.tsx";
import tones from "../kinds.module.css";
import styles from "./Banner.module.css";

export interface BannerProps {
  readonly kind?: Exclude<NoticeKind, "security"> | undefined;
  readonly children: ReactNode;
  /** Stays on one line, with its action in it. */
  readonly isLine?: boolean | undefined;
  /** One or two buttons that act on the message. */
  readonly action?: ReactNode;
  /** Adds a close button to the banner. */
  readonly onDismiss?: (() => void) | undefined;
}

/** A message that stays in the page until it is dismissed. Screen readers announce an error at once and other kinds at the next pause. */
export const Banner = ({ kind = "info", isLine = false, children, action, onDismiss }: BannerProps) => (
  <div
    className={classes(styles.banner, tones[kind], isLine && styles.line)}
    role={kind === "error" ? "alert" : "status"}
  >
    <KindIcon kind={kind} className={styles.icon} />
    <div className={styles.text}>{children}</div>
    {action !== undefined && <div className={styles.action}>{action}</div>}
    {onDismiss !== undefined && (
      <IconButton
        label="Dismiss"
        icon={<CloseIcon size={18} />}
        size="small"
        onPress={onDismiss}
        className={styles.close}
      />
    )}
  </div>
);

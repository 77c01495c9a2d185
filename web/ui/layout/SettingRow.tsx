import type { ReactNode } from "react";
import { ChevronRightIcon } from "../icons/ChevronRightIcon.tsx";
import styles from "./SettingRow.module.css";

/** Lays out the settings of a card as rows with lines between them. */
export const SettingRows = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.rows}>{children}</div>
);

export interface SettingRowProps {
  readonly title: ReactNode;
  readonly text: ReactNode;
  /** The control that changes the setting. */
  readonly children: ReactNode;
}

/** A setting: its name and a sentence at one end, its control at the other. */
export const SettingRow = ({ title, text, children }: SettingRowProps) => (
  <div className={styles.row}>
    <div className={styles.words}>
      <span className={styles.title}>{title}</span>
      <span className={styles.text}>{text}</span>
    </div>
    <div className={styles.control}>{children}</div>
  </div>
);

export interface LinkRowProps {
  readonly href: string;
  readonly title: string;
  readonly text: string;
  readonly opensTab?: boolean | undefined;
}

/** A row that leads to another screen. */
export const LinkRow = ({ href, title, text, opensTab = false }: LinkRowProps) => (
  <a href={href} className={styles.row} {...(opensTab ? { target: "_blank", rel: "noreferrer" } : {})}>
    <span className={styles.words}>
      <span className={styles.title}>{title}</span>
      <span className={styles.text}>{text}</span>
    </span>
    <ChevronRightIcon size={18} className={styles.chevron} />
  </a>
);

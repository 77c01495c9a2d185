import type { ReactNode } from "react";
import { ChevronRightIcon } from "../icons/ChevronRightIcon.tsx";
import styles from "./SettingRow.module.css";

/** Lays out the settings of a card as rows with lines between them. */
export const SettingRows = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.rows}>{children}</div>
);

export interface SettingRowProps {
  readonly title: ReactNode;
  /** The id of its title, which is a heading then and focusable by script. */
  readonly id?: string;
  readonly text: ReactNode;
  /** The control that changes the setting. */
  readonly children: ReactNode;
}

/** A setting: its name and a sentence at one end, its control at the other. */
export const SettingRow = ({ title, id, text, children }: SettingRowProps) => (
  <div className={styles.row}>
    <div className={styles.words}>
      {id === undefined ? (
        <span className={styles.title}>{title}</span>
      ) : (
        <h3 id={id} tabIndex={-1} className={styles.title}>
          {title}
        </h3>
      )}
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

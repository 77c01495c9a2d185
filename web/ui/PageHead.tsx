import type { ReactNode, Ref } from "react";
import styles from "./PageHead.module.css";

export interface PageHeadProps {
  readonly title: string;
  /** With it the title can be given the focus. */
  readonly titleRef?: Ref<HTMLHeadingElement> | undefined;
  /** What stands at its other end: the page's first action. */
  readonly children?: ReactNode;
}

/** The head of a page. */
export const PageHead = ({ title, titleRef, children }: PageHeadProps) => (
  <div className={styles.head}>
    <h1 ref={titleRef} tabIndex={titleRef === undefined ? undefined : -1}>
      {title}
    </h1>
    {children}
  </div>
);

import type { ReactNode } from "react";
import { RetryBanner, type RetryBannerProps } from "../feedback/ProblemBanner.tsx";
import { Skeleton, SkeletonRegion } from "../feedback/Skeleton.tsx";
import styles from "./ItemList.module.css";

export interface ItemListProps {
  readonly label?: string | undefined;
  readonly children: ReactNode;
}

/** A list of things that a card shows, one a row. */
export const ItemList = ({ label, children }: ItemListProps) => (
  <ul className={styles.list} aria-label={label}>
    {children}
  </ul>
);

export interface ItemRowProps {
  /** The name of the thing, with its badges. */
  readonly title: ReactNode;
  readonly text: ReactNode;
  /** Further content below the text. */
  readonly details?: ReactNode;
  /** The buttons that act on the thing. */
  readonly children?: ReactNode;
}

/** One thing of an ItemList. */
export const ItemRow = ({ title, text, details, children }: ItemRowProps) => (
  <li className={styles.row}>
    <div className={styles.words}>
      <span className={styles.title}>{title}</span>
      <span className={styles.text}>{text}</span>
      {details}
    </div>
    {children}
  </li>
);

export interface ItemListLoadingProps extends RetryBannerProps {
  readonly label: string;
  readonly isLoaded: boolean;
}

/** Stands where a list will be: a placeholder, or what went wrong with a button that tries again. */
export const ItemListLoading = ({ label, isLoaded, ...retry }: ItemListLoadingProps) => (
  <>
    <RetryBanner {...retry} />
    {!isLoaded && !retry.problem && (
      <SkeletonRegion label={label}>
        <Skeleton width="24ch" />
      </SkeletonRegion>
    )}
  </>
);

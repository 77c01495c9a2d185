import type { ReactNode, Ref } from "react";
import { Card } from "./Card.tsx";
import styles from "./SectionCard.module.css";

export interface SectionCardProps {
  /** Of the title, which names the card. */
  readonly id: string;
  readonly title: string;
  /** Where the title stands in the outline of the page. */
  readonly level?: 2 | 3 | undefined;
  /** How things stand, beside the title. */
  readonly aside?: ReactNode;
  /** What it is for, in a sentence or two. */
  readonly text?: ReactNode;
  /** The title as a place to be led to. */
  readonly titleRef?: Ref<HTMLHeadingElement> | undefined;
  readonly isBusy?: boolean | undefined;
  readonly children?: ReactNode;
}

/** A part of a page on a surface of its own: its title, what it is for, and what can be done. */
export const SectionCard = (props: SectionCardProps) => {
  const { id, title, level = 2, aside, text, titleRef, isBusy, children } = props;
  const Title = level === 2 ? "h2" : "h3";
  return (
    <Card
      as={level === 2 ? "section" : "article"}
      aria-labelledby={id}
      aria-busy={isBusy}
      padding="roomy"
      className={styles.card}
    >
      <div className={styles.head}>
        <Title id={id} ref={titleRef} tabIndex={titleRef ? -1 : undefined} className={styles.title}>
          {title}
        </Title>
        {aside}
      </div>
      {text && <p className={styles.text}>{text}</p>}
      {children}
    </Card>
  );
};

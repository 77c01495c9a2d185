import type { ReactNode, Ref } from "react";
import { Card } from "./Card.tsx";
import styles from "./SectionCard.module.css";

export interface SectionCardProps {
  /** The id of the title, which labels the card. */
  readonly id: string;
  readonly title: string;
  readonly level?: 2 | 3 | 4 | undefined;
  /** Content beside the title, such as a status badge. */
  readonly aside?: ReactNode;
  /** A description of one or two sentences. */
  readonly text?: ReactNode;
  /** A ref to the title. */
  readonly titleRef?: Ref<HTMLHeadingElement> | undefined;
  readonly isBusy?: boolean | undefined;
  readonly children?: ReactNode;
}

/** A card without a title, which the section around it has. */
export const UntitledCard = ({ children }: { readonly children: ReactNode }) => (
  <Card className={styles.card}>{children}</Card>
);

/** A section of a page as a card: title, description and controls. Its title is focusable by script. */
export const SectionCard = (props: SectionCardProps) => {
  const { id, title, level = 2, aside, text, titleRef, isBusy, children } = props;
  const Title = `h${level}` as const;
  return (
    <Card
      as={level === 2 ? "section" : "article"}
      aria-labelledby={id}
      aria-busy={isBusy}
      className={styles.card}
    >
      <div className={styles.head}>
        <Title id={id} ref={titleRef} tabIndex={-1} className={styles.title} data-level={level}>
          {title}
        </Title>
        {aside}
      </div>
      {text && <p className={styles.text}>{text}</p>}
      {children}
    </Card>
  );
};

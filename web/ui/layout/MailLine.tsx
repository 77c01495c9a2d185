import { type ReactNode, type Ref, useEffect, useId, useRef, useState } from "react";
import { ChevronDownIcon } from "../icons/ChevronDownIcon.tsx";
import { Card } from "./Card.tsx";
import styles from "./MailLine.module.css";

export interface MailLinesProps {
  readonly label: string;
  /** A MailLine each. */
  readonly children: ReactNode;
}

/** Lists mails, one line each. */
export const MailLines = ({ label, children }: MailLinesProps) => (
  <Card as="ul" padding="none" className={styles.list} aria-label={label}>
    {children}
  </Card>
);

export interface MailLineProps {
  /** The time in ISO 8601, and as it is shown. */
  readonly at: string;
  readonly time: string;
  readonly from: string;
  /** The receiver; undefined where it is not to be named. */
  readonly to?: string | undefined;
  readonly badge?: ReactNode;
  /** The subject of the mail, or why it had its result, in few words. */
  readonly note: string;
  /** Controls before and after the line. */
  readonly before?: ReactNode;
  readonly after?: ReactNode;
  /** True for a mail that the page was opened for: it is open and in view. */
  readonly isTarget?: boolean | undefined;
  readonly isOpenAtFirst?: boolean | undefined;
  /** What is shown below the line, open or not, such as the problem of a control after it. */
  readonly notice?: ReactNode;
  readonly heading?: "h2" | "h3" | undefined;
  /** The id of the line, for what describes its controls. */
  readonly titleId?: string | undefined;
  /** Its button, for the focus when a control in the content is gone. */
  readonly buttonRef?: Ref<HTMLButtonElement> | undefined;
  /** The content that a press on the line opens. */
  readonly children: ReactNode;
}

/** One mail in one line, two on a narrow screen; a press opens it. */
export const MailLine = ({
  at,
  time,
  from,
  to,
  badge,
  note,
  before,
  after,
  isTarget = false,
  isOpenAtFirst = false,
  notice,
  heading: Heading = "h3",
  titleId,
  buttonRef,
  children,
}: MailLineProps) => {
  const [isOpen, setOpen] = useState(isTarget || isOpenAtFirst);
  const [wasTarget, setWasTarget] = useState(isTarget);
  if (isTarget !== wasTarget) {
    setWasTarget(isTarget);
    if (isTarget) setOpen(true);
  }
  const item = useRef<HTMLLIElement>(null);
  const ownId = useId();
  const detailId = `${ownId}-detail`;
  useEffect(() => {
    if (isTarget) item.current?.scrollIntoView({ block: "nearest" });
  }, [isTarget]);
  return (
    <li ref={item} className={styles.item} aria-labelledby={titleId ?? ownId}>
      <div className={styles.line}>
        {before}
        <Heading id={titleId ?? ownId} className={styles.heading}>
          <button
            ref={buttonRef}
            type="button"
            className={styles.button}
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailId : undefined}
            onClick={() => setOpen(!isOpen)}
          >
            <time dateTime={at} className={styles.time}>
              {time}
            </time>{" "}
            <span className={styles.people}>
              <span>{from}</span>
              {to !== undefined && (
                <>
                  {" "}
                  <span className={styles.time}>
                    <span aria-hidden="true">→</span>
                    <span className="visually-hidden">to</span>
                  </span>{" "}
                  <span>{to}</span>
                </>
              )}
            </span>{" "}
            <span>{badge}</span> <span className={styles.note}>{note}</span>
            <ChevronDownIcon size={16} className={styles.mark} />
          </button>
        </Heading>
        {after}
      </div>
      {notice && <div className={styles.detail}>{notice}</div>}
      {isOpen && (
        <div id={detailId} className={styles.detail}>
          {children}
        </div>
      )}
    </li>
  );
};

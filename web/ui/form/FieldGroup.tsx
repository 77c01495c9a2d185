import { type ReactNode, useEffect, useRef, useState } from "react";
import { ChevronDownIcon } from "../icons/ChevronDownIcon.tsx";
import styles from "./FieldGroup.module.css";

export interface FieldGroupProps {
  readonly title: string;
  /** A summary of its fields at present, shown beside the title. */
  readonly hint?: string | undefined;
  readonly isOpenAtFirst?: boolean | undefined;
  /** The group that the form was opened for: it comes into sight with the focus. */
  readonly isWanted?: boolean | undefined;
  /** The problem found in a field of the group; another one opens it. */
  readonly problem?: object | null | undefined;
  readonly children: ReactNode;
}

/** Fields of a form under a title, which opens and closes them. */
export const FieldGroup = ({
  title,
  hint,
  isOpenAtFirst = false,
  isWanted = false,
  problem = null,
  children,
}: FieldGroupProps) => {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const [lastProblem, setLastProblem] = useState<object | null>(null);
  const summary = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isWanted) return;
    summary.current?.scrollIntoView({ block: "start" });
    summary.current?.focus({ preventScroll: true });
  }, [isWanted]);
  if (problem !== lastProblem) {
    setLastProblem(problem);
    if (problem !== null) setOpen(true);
  }
  return (
    <details className={styles.group} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary ref={summary} className={styles.summary}>
        {title} {hint && !isOpen && <span className={styles.hint}>{hint}</span>}
        <ChevronDownIcon size={18} className={styles.chevron} />
      </summary>
      {isOpen && <div className={styles.fields}>{children}</div>}
    </details>
  );
};

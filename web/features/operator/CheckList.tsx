import { useId } from "react";
import type { Check } from "../../../core/operator/operatorEndpoints.ts";
import { Badge, type BadgeProps } from "../../ui/Badge.tsx";
import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import rows from "../../ui/layout/Rows.module.css";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { AdviceText } from "./AdviceText.tsx";
import styles from "./operator.module.css";

const badges: Readonly<Record<Check["state"], { readonly kind: BadgeProps["kind"]; readonly text: string }>> =
  {
    ok: { kind: "success", text: "OK" },
    warning: { kind: "warning", text: "Warning" },
    problem: { kind: "danger", text: "Problem" },
    unknown: { kind: "neutral", text: "Unknown" },
  };

const CheckRow = ({ check: { name, state, is, advice } }: { readonly check: Check }) => (
  <li className={rows.row}>
    <span className={rows.words}>
      <span>{name}</span>
      <span className={rows.aside}>{is}</span>
      {advice !== null && (
        <span className={styles.advice}>
          <AdviceText text={`${advice}.`} />
        </span>
      )}
    </span>
    <Badge kind={badges[state].kind} hasDot>
      {badges[state].text}
    </Badge>
  </li>
);

interface CheckListProps {
  readonly title: string;
  readonly checks: readonly Check[];
  /** The text in place of an empty list. */
  readonly empty: string;
  readonly note: string | null;
}

const summaryOf = (checks: readonly Check[]): string => {
  const count = checks.filter(({ state }) => state === "ok").length;
  return `${count} of ${checks.length} in order`;
};

/** Checks with what is, what should be and what to do; those that need something come first. */
export const CheckList = ({ title, checks, empty, note }: CheckListProps) => {
  const id = useId();
  const order: readonly Check["state"][] = ["problem", "warning", "unknown", "ok"];
  const sorted = checks.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  return (
    <SectionCard
      id={id}
      title={title}
      aside={checks.length > 0 && <span role="status">{summaryOf(checks)}</span>}
      text={note}
    >
      {checks.length === 0 ? (
        <p className={styles.muted}>{empty}</p>
      ) : (
        <ul className={rows.rows}>
          {sorted.map((check) => (
            <CheckRow key={check.name} check={check} />
          ))}
        </ul>
      )}
    </SectionCard>
  );
};

/** The placeholder of the checks, which take some seconds. */
export const ChecksSkeleton = () => {
  const id = useId();
  return (
    <SectionCard id={id} title="DNS records" isBusy>
      <SkeletonRegion label="Asking DNS and other servers">
        <Skeleton height="card" shape="block" />
      </SkeletonRegion>
    </SectionCard>
  );
};

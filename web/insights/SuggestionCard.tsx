import { useEffect, useId, useRef } from "react";
import { deedOf } from "../../core/insights/suggestionAction.ts";
import { useAction } from "../binding/useAction.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { CheckIcon } from "../ui/icons/CheckIcon.tsx";
import type { Insights, ShownSuggestion } from "./insightsPart.ts";
import styles from "./Suggestions.module.css";
import { prepareSuggestion } from "./useSuggestion.tsx";

interface SuggestionCardProps {
  readonly suggestion: ShownSuggestion;
  readonly insights: Insights;
  readonly onApply: () => void;
}

const kinds = {
  security: { label: "Security", badge: "warning" },
  efficiency: { label: "Efficiency", badge: "accent" },
  filter: { label: "Filter", badge: "neutral" },
} as const;

/** What stands in the place of a dismissed suggestion as long as it can be taken back. */
const Dismissed = ({ suggestion, insights }: Omit<SuggestionCardProps, "onApply">) => {
  const restore = useAction(insights.restore);
  const undo = useRef<HTMLButtonElement>(null);
  useEffect(() => undo.current?.focus(), []);
  return (
    <li className={styles.dismissed}>
      <span role="status">Suggestion dismissed</span>
      <Button
        ref={undo}
        size="small"
        variant="quiet"
        aria-label={`Undo: ${suggestion.title}`}
        onPress={() => restore.run(suggestion)}
      >
        Undo
      </Button>
    </li>
  );
};

/** One suggestion: what it saw, what it would do, and what became of it. */
export const SuggestionCard = ({ suggestion, insights, onApply }: SuggestionCardProps) => {
  const dismiss = useAction(insights.dismiss);
  const nameId = useId();
  const { title, description, type, actionText, action, applied, isRestorable } = suggestion;
  if (isRestorable) return <Dismissed suggestion={suggestion} insights={insights} />;
  const prepare = () => prepareSuggestion(deedOf(action));
  return (
    <Card as="li" aria-labelledby={nameId} isMuted={applied} className={styles.card}>
      <div className={styles.words}>
        <div className={styles.head}>
          <h3 id={nameId} className={styles.name}>
            {title}
          </h3>
          <Badge kind={kinds[type].badge}>{kinds[type].label}</Badge>
        </div>
        <p className={styles.text}>{description}</p>
      </div>
      <div className={styles.ways}>
        {applied ? (
          <Badge kind="success" icon={<CheckIcon size={14} />}>
            Applied
          </Badge>
        ) : (
          // biome-ignore lint/a11y/noStaticElementInteractions: only fetches early what the button inside will open
          <span onPointerEnter={prepare} onFocus={prepare}>
            <Button variant="primary" aria-describedby={nameId} onPress={onApply}>
              {actionText}
            </Button>
          </span>
        )}
        {!applied && (
          <Button variant="quiet" aria-describedby={nameId} onPress={() => dismiss.run(suggestion)}>
            Dismiss
          </Button>
        )}
      </div>
    </Card>
  );
};

import { useEffect, useId, useRef, useState } from "react";
import type { Insights } from "../../../core/insights/insights.ts";
import { toSuggestionAction } from "../../../core/insights/suggestion.ts";
import {
  filteredSuggestions,
  type SuggestionFilter,
  suggestionCounts,
} from "../../../core/insights/suggestionList.ts";
import { useAction } from "../../react/useAction.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { ChipGroup } from "../../ui/form/ChipGroup.tsx";
import { CheckIcon } from "../../ui/icons/CheckIcon.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import type { ShownSuggestion } from "./figures.ts";
import styles from "./Suggestions.module.css";
import { placeOfSuggestion, prefetchSuggestion, useApplySuggestion } from "./useApplySuggestion.tsx";

interface SuggestionCardProps {
  readonly suggestion: ShownSuggestion;
  readonly insights: Insights;
  readonly onApply: () => void;
}

const typeBadges = {
  security: { label: "Security", badge: "warning" },
  efficiency: { label: "Efficiency", badge: "accent" },
  filter: { label: "Filter", badge: "neutral" },
} as const;

/** Replaces a dismissed suggestion while the dismissal can be undone. */
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

const SuggestionCard = ({ suggestion, insights, onApply }: SuggestionCardProps) => {
  const dismiss = useAction(insights.dismiss);
  const nameId = useId();
  const { title, description, type, actionText, action, applied, isRestorable } = suggestion;
  if (isRestorable) return <Dismissed suggestion={suggestion} insights={insights} />;
  const operation = toSuggestionAction(action);
  const place = placeOfSuggestion(operation);
  const prefetch = () => prefetchSuggestion(operation);
  return (
    <li aria-labelledby={nameId} className={styles.item}>
      <ButtonRow>
        <h3 id={nameId}>{title}</h3>
        <Badge kind={typeBadges[type].badge}>{typeBadges[type].label}</Badge>
      </ButtonRow>
      <p className={styles.text}>{description}</p>
      <ButtonRow>
        {applied ? (
          <Badge kind="success" icon={<CheckIcon size={14} />}>
            Applied
          </Badge>
        ) : place !== undefined ? (
          <ButtonLink size="small" variant="primary" href={place} aria-describedby={nameId}>
            {actionText}
          </ButtonLink>
        ) : (
          // biome-ignore lint/a11y/noStaticElementInteractions: only prefetches what the button inside opens
          <span onPointerEnter={prefetch} onFocus={prefetch}>
            <Button size="small" variant="primary" aria-describedby={nameId} onPress={onApply}>
              {actionText}
            </Button>
          </span>
        )}
        {!applied && (
          <Button
            size="small"
            variant="quiet"
            aria-describedby={nameId}
            onPress={() => dismiss.run(suggestion)}
          >
            Dismiss
          </Button>
        )}
      </ButtonRow>
    </li>
  );
};

interface SuggestionsProps {
  readonly insights: Insights;
  readonly list: readonly ShownSuggestion[];
  readonly onFocusLost: () => void;
}

const emptyText: Readonly<Record<SuggestionFilter, string>> = {
  all: "No suggestions available at this time. Check back later!",
  applied: "You have not applied a suggestion yet.",
  unapplied: "You have applied every suggestion.",
};

/** Lists suggestions to apply or dismiss (IN2, IN3). */
export const Suggestions = ({ insights, list, onFocusLost }: SuggestionsProps) => {
  const [filter, setFilter] = useState<SuggestionFilter>("all");
  const { apply, dialog } = useApplySuggestion(insights, onFocusLost);
  const counts = suggestionCounts(list);
  const shown = filteredSuggestions(list, filter);
  const id = useId();
  return (
    <Card as="section" aria-labelledby={id} className={styles.section}>
      <h2 id={id}>Suggestions</h2>
      {list.length > 0 && (
        <ChipGroup
          label="Show"
          value={filter}
          onChange={setFilter}
          chips={[
            { value: "all", label: "All Insights", count: counts.all },
            { value: "applied", label: "Applied", count: counts.applied },
            { value: "unapplied", label: "Unapplied", count: counts.unapplied },
          ]}
        />
      )}
      {shown.length === 0 ? (
        <p className={styles.text}>{emptyText[list.length === 0 ? "all" : filter]}</p>
      ) : (
        <ul className={styles.list}>
          {shown.map((suggestion) => (
            <SuggestionCard
              key={suggestion.actionKey}
              suggestion={suggestion}
              insights={insights}
              onApply={() => apply(suggestion)}
            />
          ))}
        </ul>
      )}
      {dialog}
    </Card>
  );
};

import { useId, useState } from "react";
import {
  filteredSuggestions,
  type SuggestionFilter,
  suggestionCounts,
} from "../../core/insights/shownSuggestions.ts";
import { ChipGroup } from "../ui/ChipGroup.tsx";
import type { Insights, ShownSuggestion } from "./insightsPart.ts";
import { SuggestionCard } from "./SuggestionCard.tsx";
import styles from "./Suggestions.module.css";
import { useSuggestion } from "./useSuggestion.tsx";

interface SuggestionsProps {
  readonly insights: Insights;
  readonly list: readonly ShownSuggestion[];
  /** What had the focus is gone. */
  readonly onLost: () => void;
}

const emptyText: Readonly<Record<SuggestionFilter, string>> = {
  all: "No suggestions available at this time. Check back later!",
  applied: "You have not applied a suggestion yet.",
  unapplied: "You have applied every suggestion there is.",
};

/** What would help, to be applied or dismissed (IN2, IN3). */
export const Suggestions = ({ insights, list, onLost }: SuggestionsProps) => {
  const [filter, setFilter] = useState<SuggestionFilter>("all");
  const { apply, windows } = useSuggestion(insights, onLost);
  const counts = suggestionCounts(list);
  const shown = filteredSuggestions(list, filter);
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.section}>
      <h2 id={id} className={styles.title}>
        Suggestions
      </h2>
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
        <p className={styles.none}>{emptyText[list.length === 0 ? "all" : filter]}</p>
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
      {windows}
    </section>
  );
};

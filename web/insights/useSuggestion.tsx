import type { ReactNode } from "react";
import { deedOf, type SuggestionDeed } from "../../core/insights/suggestionAction.ts";
import { useApp } from "../binding/useApp.ts";
import { makeChunk } from "../loading/chunk.ts";
import { useWindow } from "../loading/useWindow.ts";
import { useGo } from "../places/useGo.ts";
import type { Insights, ShownSuggestion } from "./insightsPart.ts";

const windowsChunk = makeChunk(
  () => import("./SuggestionWindow.tsx"),
  (module) => module.SuggestionWindow,
);

/** What is set up in Settings. */
const isInSettings = (deed: SuggestionDeed): boolean =>
  deed === "setUpTwoFactor" || deed === "setUpEncryption";

/** Fetches early what applying will open. */
export const prepareSuggestion = (deed: SuggestionDeed | null): void => {
  if (deed !== null && !isInSettings(deed)) windowsChunk.prefetch();
};

interface Wanted {
  readonly suggestion: ShownSuggestion;
  readonly deed: SuggestionDeed;
}

/** Applying a suggestion: what it opens, and where it leads (IN3). */
export const useSuggestion = (
  insights: Insights,
  onLost: () => void,
): { readonly apply: (suggestion: ShownSuggestion) => void; readonly windows: ReactNode } => {
  const { toasts } = useApp();
  const go = useGo();
  const { wanted, isOpen, open, close, lose } = useWindow<Wanted>(windowsChunk, onLost);
  const Window = windowsChunk.loaded();

  const apply = (suggestion: ShownSuggestion): void => {
    const deed = deedOf(suggestion.action);
    if (deed === null) {
      toasts.show(
        "warning",
        `Unknown action: ${suggestion.action}. Refresh the page to get the newest version.`,
      );
      return;
    }
    if (isInSettings(deed)) {
      go({ tab: "settings", section: "security" });
      return;
    }
    open({ suggestion, deed });
  };
  return {
    apply,
    windows: Window && wanted && (
      <Window
        key={wanted.key}
        {...wanted.about}
        insights={insights}
        isOpen={isOpen}
        onClose={close}
        onApplied={lose}
      />
    ),
  };
};

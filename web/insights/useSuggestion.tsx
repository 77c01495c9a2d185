import { type ReactNode, useEffect, useState } from "react";
import { deedOf, type SuggestionDeed } from "../../core/insights/suggestionAction.ts";
import { useApp } from "../binding/useApp.ts";
import { makeChunk } from "../loading/chunk.ts";
import { useChunk } from "../loading/useChunk.ts";
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

/** By then a closed window has faded, and has tried to give the focus back to where it came from. */
const closedAfterMs = 400;

interface Wanted {
  readonly suggestion: ShownSuggestion;
  readonly deed: SuggestionDeed;
  readonly count: number;
}

/** Applying a suggestion: what it opens, and where it leads (IN3). */
export const useSuggestion = (
  insights: Insights,
  onLost: () => void,
): { readonly apply: (suggestion: ShownSuggestion) => void; readonly windows: ReactNode } => {
  const { toasts } = useApp();
  const go = useGo();
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [isApplied, setApplied] = useState(false);
  const { part: Window, isFailed, retry } = useChunk(windowsChunk, wanted !== null);

  useEffect(() => {
    if (!isFailed || !isOpen) return;
    setOpen(false);
    toasts.show("error", "This window could not be loaded. Check your connection, then try again.");
  }, [isFailed, isOpen, toasts]);

  useEffect(() => {
    if (isOpen || !isApplied) return;
    const wait = setTimeout(() => {
      setApplied(false);
      if (document.activeElement === document.body) onLost();
    }, closedAfterMs);
    return () => clearTimeout(wait);
  }, [isOpen, isApplied, onLost]);

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
    setWanted((before) => ({ suggestion, deed, count: (before?.count ?? 0) + 1 }));
    setOpen(true);
    if (isFailed) retry();
  };
  return {
    apply,
    windows: Window && wanted && (
      <Window
        key={wanted.count}
        insights={insights}
        suggestion={wanted.suggestion}
        deed={wanted.deed}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onApplied={() => setApplied(true)}
      />
    ),
  };
};

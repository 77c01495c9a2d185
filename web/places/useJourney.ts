import { useCallback, useMemo, useState } from "react";
import type { Journey, Place, Section } from "./place.ts";

/** Goes to a place's tab by `show`, and remembers the section that is wanted there until it is in sight. */
export const useJourney = (show: (tab: Place["tab"]) => void): Journey => {
  const [wanted, setWanted] = useState<Section | null>(null);
  const go = useCallback(
    ({ tab, section }: Place) => {
      show(tab);
      setWanted(section ?? null);
    },
    [show],
  );
  const arrived = useCallback(() => setWanted(null), []);
  return useMemo(() => ({ go, wanted, arrived }), [go, wanted, arrived]);
};

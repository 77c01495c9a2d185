import { useCallback, useEffect, useState } from "react";

/** A button that does its work on the second press. */
export interface Armed {
  readonly isArmed: boolean;
  readonly press: () => void;
}

/** The first press arms for `forMs`; the second within that time fires. */
export const useArmed = (forMs: number, fire: () => void): Armed => {
  const [isArmed, setArmed] = useState(false);
  useEffect(() => {
    if (!isArmed) return;
    const reset = setTimeout(() => setArmed(false), forMs);
    return () => clearTimeout(reset);
  }, [isArmed, forMs]);
  const press = useCallback(() => {
    setArmed(!isArmed);
    if (isArmed) fire();
  }, [isArmed, fire]);
  return { isArmed, press };
};

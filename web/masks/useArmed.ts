import { useCallback, useEffect, useRef, useState } from "react";

/** Presses that follow one another faster than this are one: a double click, a key held down. */
const restMs = 500;

/** A button that does its work on the second press. */
export interface Armed {
  readonly isArmed: boolean;
  readonly press: () => void;
}

/** The first press arms for `forMs`; a second within that time fires, if there were 500 ms of rest before it. */
export const useArmed = (forMs: number, fire: () => void): Armed => {
  const [isArmed, setArmed] = useState(false);
  const rest = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(rest.current), []);
  useEffect(() => {
    if (!isArmed) return;
    const reset = setTimeout(() => setArmed(false), forMs);
    return () => clearTimeout(reset);
  }, [isArmed, forMs]);
  const press = useCallback(() => {
    const isRested = rest.current === undefined;
    clearTimeout(rest.current);
    rest.current = setTimeout(() => {
      rest.current = undefined;
    }, restMs);
    if (!isRested) return;
    setArmed(!isArmed);
    if (isArmed) fire();
  }, [isArmed, fire]);
  return { isArmed, press };
};

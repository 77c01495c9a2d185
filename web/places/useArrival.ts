import { type RefObject, useContext, useEffect, useRef } from "react";
import { JourneyContext, type Section } from "./place.ts";

/**
 * Makes an element the place where a way to `section` ends: it is brought into sight and takes the focus. Give the
 * returned ref to the section's heading, with `tabIndex={-1}`.
 */
export const useArrival = <E extends HTMLElement>(section: Section): RefObject<E | null> => {
  const place = useRef<E>(null);
  const { wanted, arrived } = useContext(JourneyContext);
  useEffect(() => {
    if (wanted !== section) return;
    place.current?.scrollIntoView({ block: "start" });
    place.current?.focus({ preventScroll: true });
    arrived();
  }, [wanted, section, arrived]);
  return place;
};

import { dayMs, hourMs, minuteMs } from "../../core/kernel/durations.ts";

const units = [
  [365 * dayMs, "y"],
  [30 * dayMs, "mo"],
  [dayMs, "d"],
  [hourMs, "h"],
  [minuteMs, "min"],
] as const;

/** Formats how long ago a time was in the room of a narrow column: "now", "3 min", "16 h", "2 d", "5 mo", "2 y". */
export const shortAgo = (ms: number, now: number): string => {
  const elapsedMs = now - ms;
  const [unitMs, unit] = units.find(([unitMs]) => elapsedMs >= unitMs) ?? [0, ""];
  return unitMs === 0 ? "now" : `${Math.floor(elapsedMs / unitMs)} ${unit}`;
};

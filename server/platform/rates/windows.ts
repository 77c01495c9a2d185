/** The division of a period: events in the last `parts` parts count, the current one included. */
export interface WindowParts {
  readonly partMs: number;
  readonly parts: number;
}

/** Counts what happened within a period, in parts of it; the oldest part is counted completely. */
export interface Window extends WindowParts {
  readonly counts: number[];
  part: number;
  sum: number;
}

/** Creates a window in which nothing has happened. */
export const createWindow = ({ partMs, parts }: WindowParts): Window => ({
  partMs,
  parts,
  counts: Array<number>(parts).fill(0),
  part: 0,
  sum: 0,
});

/** Drops what is too old. A clock that was set back starts the window again. */
export const advanceWindow = (window: Window, now: number): void => {
  const part = Math.floor(now / window.partMs);
  const steps = part < window.part ? window.parts : Math.min(part - window.part, window.parts);
  for (let step = 0; step < steps; step += 1) {
    const index = (part - step) % window.parts;
    window.sum -= window.counts[index] ?? 0;
    window.counts[index] = 0;
  }
  window.part = part;
};

/** Adds an amount to a part, or takes as much of a negative one from it as it has; nothing when the part is dropped. */
export const addToWindow = (window: Window, amount: number, part = window.part): void => {
  if (part > window.part || window.part - part >= window.parts) return;
  const index = part % window.parts;
  const count = window.counts[index] ?? 0;
  const added = Math.max(-count, amount);
  window.counts[index] = count + added;
  window.sum += added;
};

/** Returns in how many milliseconds the oldest part that counts is dropped; 0 when nothing counts. */
export const nextDropMs = (window: Window, now: number): number => {
  for (let age = window.parts - 1; age >= 0; age -= 1) {
    const part = window.part - age;
    if (part >= 0 && (window.counts[part % window.parts] ?? 0) > 0)
      return (part + window.parts) * window.partMs - now;
  }
  return 0;
};

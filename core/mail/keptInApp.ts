import * as t from "io-ts";

/**
 * The storage of a mask's mail in the app instead of forwarding it, encrypted to its owner's key: as long as the plan keeps
 * history, or for some days.
 */
export const KeptInApp = t.keyof({ no: null, yes: null, "7-days": null, "30-days": null, "365-days": null });
export type KeptInApp = t.TypeOf<typeof KeptInApp>;

/** Returns how many days mail is kept; null for as long as the plan keeps history. */
export const daysKept = (kept: Exclude<KeptInApp, "no">): number | null =>
  kept === "yes" ? null : Number.parseInt(kept, 10);

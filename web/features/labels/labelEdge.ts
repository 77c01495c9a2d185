import type { CSSProperties } from "react";

const edges: Readonly<Record<string, number>> = { teal: 1, amber: 2, purple: 3, green: 4, red: 5, blue: 6 };

/** Returns the style of a label in a color: an edge beside its name. */
export const labelEdge = (color = ""): CSSProperties => ({
  borderInlineStart: `0.375rem solid var(--chart-${edges[color] ?? 7})`,
  paddingInlineStart: "0.5rem",
});

let left: { readonly id: string; readonly at: number } | null = null;

/** A list shown later than this is no return. */
const returnsWithinMs = 2_000;

/** Remembers the mask whose page has just ended. */
export const leaveMask = (id: string): void => {
  left = { id, at: performance.now() };
};

/** Gives the focus to the name of the mask whose page has just ended, where the list shows it. */
export const returnToRow = (): void => {
  if (left !== null && performance.now() - left.at < returnsWithinMs) {
    const { id } = left;
    requestAnimationFrame(() => document.getElementById(`name-${id}`)?.focus());
  }
  left = null;
};

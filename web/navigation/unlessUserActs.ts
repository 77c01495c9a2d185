/** The events by which the user goes on, so that the focus must stay where they have it. */
const acts = ["keydown", "pointerdown"] as const;

/**
 * Calls `run` after some milliseconds, or `onAct` as soon as the user presses something before; then neither is called any
 * more. Returns what cancels both.
 */
export const runUnlessUserActs = (
  ms: number,
  run: () => void,
  onAct: () => void = () => {},
): (() => void) => {
  const cancel = (): void => {
    clearTimeout(timer);
    for (const act of acts) window.removeEventListener(act, drop, { capture: true });
  };
  const drop = (): void => {
    cancel();
    onAct();
  };
  const timer = setTimeout(() => {
    cancel();
    run();
  }, ms);
  for (const act of acts) window.addEventListener(act, drop, { capture: true });
  return cancel;
};

/** The events by which the user goes on, so that the focus must stay where they have it. */
const presses: readonly string[] = ["keydown", "pointerdown"];

/** The events after which the page no longer scrolls by itself. */
export const pressesAndScrolling: readonly string[] = [...presses, "wheel"];

/** Calls `run` once, at the first of these events and before the page handles it. Returns what prevents the call. */
export const onNextAct = (run: () => void, acts: readonly string[] = presses): (() => void) => {
  // A call may be prevented after its page has gone.
  const page = window;
  const cancel = (): void => {
    for (const act of acts) page.removeEventListener(act, take, { capture: true });
  };
  const take = (): void => {
    cancel();
    run();
  };
  for (const act of acts) page.addEventListener(act, take, { capture: true, passive: true });
  return cancel;
};

/**
 * Calls `run` after some milliseconds, or `onAct` as soon as the user presses something before; then neither is called any
 * more. Returns what cancels both.
 */
export const runUnlessUserActs = (
  ms: number,
  run: () => void,
  onAct: () => void = () => {},
): (() => void) => {
  const stopListening = onNextAct(() => {
    clearTimeout(timer);
    onAct();
  });
  const timer = setTimeout(() => {
    stopListening();
    run();
  }, ms);
  return () => {
    clearTimeout(timer);
    stopListening();
  };
};

import { focusedField } from "./focusedField.ts";

/** The longest that one field waits for a code: codes are over by then. */
export const maxWaitMs = 600_000;

interface CodeWaitDeps<Answer> {
  /** Asks for a code; answers after a while also where none has come. */
  readonly ask: () => Promise<Answer>;
  readonly now: () => number;
}

/** Resolves when the user comes back to this page, or the frame in it. */
const comeBack = (): Promise<void> =>
  new Promise((resolve) => {
    const receive = (): void => {
      // A page can send such an event too.
      if (!document.hasFocus()) return;
      window.removeEventListener("focus", receive);
      resolve();
    };
    window.addEventListener("focus", receive);
  });

/**
 * Waits for the code of a field: as long as it has the focus, for ten minutes, and without a request while the user is in another
 * tab or window. Returns the last answer; undefined where nothing was asked.
 */
export const waitForAnswer = async <Answer extends { readonly isWaiting?: true }>(
  field: HTMLInputElement,
  { ask, now }: CodeWaitDeps<Answer>,
): Promise<Answer | undefined> => {
  const until = now() + maxWaitMs;
  let answer: Answer | undefined;
  while (focusedField() === field && now() < until && (answer === undefined || answer.isWaiting)) {
    if (document.hasFocus()) answer = await ask();
    else await comeBack();
  }
  return answer;
};

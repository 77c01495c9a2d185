const firstWaitMs = 2_000;

/**
 * Returns the wait after the last attempt, in milliseconds: 2 s, 4 s, 8 s and so on ±20 %, at most the check interval
 * (D14). `fraction` is in [0, 1).
 */
export const attemptDelayMs = (attempts: number, checkEachMs: number, fraction: number): number =>
  attempts === 0
    ? 0
    : Math.min(
        Math.round(firstWaitMs * 2 ** Math.min(attempts - 1, 10) * (0.8 + 0.4 * fraction)),
        checkEachMs,
      );

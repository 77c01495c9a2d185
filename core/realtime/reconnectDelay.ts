const baseMs = 2_000;
const factor = 1.5;
const jitter = 0.2;
const capMs = 30_000;

/**
 * How long to wait before reconnecting after `attempt` earlier tries in a row, in milliseconds:
 * 2 s × 1.5^n, ±20 %, at most 30 s (RT5). `fraction` in [0, 1) decides about the jitter.
 */
export const reconnectDelay = (attempt: number, fraction: number): number =>
  Math.min(capMs, Math.round(baseMs * factor ** attempt * (1 - jitter + 2 * jitter * fraction)));

/** What one client may ask of the HTTP server. Times in milliseconds, sizes in bytes, rates for each minute. */
export const limits = {
  bodyBytes: 256 * 1024,
  headerBytes: 16 * 1024,
  pathParameter: 4_096,
  headersWithinMs: 10_000,
  requestWithinMs: 30_000,
  idleConnectionMs: 65_000,
  connections: 4_000,
} as const;

/** Requests a minute from one address (an IPv6 network of 64 bits counts as one); each route counts for itself. */
export const perMinute = {
  anything: 1_200,
  signIn: 30,
  verify: 120,
  masks: 300,
  notifications: 300,
  /** After a restart every page behind one address comes back at once. */
  sockets: 600,
} as const;

/**
 * How much more may come from this very machine without a proxy in between: tests, scripts and the operator.
 * A proxy on this machine names its client in X-Forwarded-For, and that address is the one that counts.
 */
export const loopbackAllowance = 100;

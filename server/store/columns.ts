/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Time = number;
/** 0 or 1: both databases store it the same way. */
export type Flag = number;

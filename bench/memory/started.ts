/** The environment that bounds the memory of a server as `npm start` does. */
export const asStarted = { MALLOC_TRIM_THRESHOLD_: "1048576", NODE_OPTIONS: "--max-semi-space-size=8" };

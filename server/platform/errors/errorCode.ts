/** Returns the code of an error of Node or of a driver, such as "ENOENT"; empty for an error without one. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

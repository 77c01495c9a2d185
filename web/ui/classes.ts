/** Joins class names; undefined, false and empty ones are left out. */
export const classes = (...names: readonly (string | false | undefined)[]): string =>
  names.filter((name) => name !== undefined && name !== false && name !== "").join(" ");

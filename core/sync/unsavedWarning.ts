/**
 * Returns the warning for a logout while rules are pending, because a logout deletes everything stored in the
 * browser (D45). `rules` is the number of changed rules; null when it is unknown.
 */
export const unsavedMessage = (rules: number | null): string => {
  if (rules === 1) return "1 rule is not on the server yet. Logging out deletes the change.";
  return `${rules ?? "Some"} rules are not on the server yet. Logging out deletes the changes.`;
};

/**
 * What somebody is told who logs out while rules are pending, since a logout leaves nothing in the browser (D45).
 * `rules`: how many were changed; null while that is not known.
 */
export const unsavedSentence = (rules: number | null): string => {
  if (rules === 1) return "1 rule is not on the server yet. Logging out deletes the change.";
  return `${rules ?? "Some"} rules are not on the server yet. Logging out deletes the changes.`;
};

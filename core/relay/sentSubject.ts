const longestSubject = 900;

/**
 * A subject with what rules put in front: prefixes first, then tags in brackets, in their order. What stands there
 * already, as in an answer to an earlier mail, is not put there again. null when nothing is added.
 */
export const sentSubject = (
  subject: string,
  prefixes: readonly string[],
  tags: readonly string[],
): string | null => {
  const marks = [...prefixes, ...tags.map((tag) => `[${tag}]`)];
  const present = subject.toLowerCase();
  const added = [...new Set(marks)].filter((mark) => !present.includes(mark.toLowerCase()));
  if (added.length === 0) return null;
  return [...added, subject].join(" ").trim().slice(0, longestSubject);
};

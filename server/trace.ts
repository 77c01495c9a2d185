/** Where an error happened: its stack below its words, which may have lines that look like it. */
const placesOf = ({ stack = "", message }: Error): string[] => {
  const below = stack.indexOf(message) + message.length;
  return stack
    .slice(below)
    .split("\n")
    .filter((line) => /^\s+at /.test(line));
};

/** What the operator's log may hold of an unexpected error: where it happened, never its words, which may quote a user. */
export const traceOf = (
  error: unknown,
): { readonly name: string; readonly code: string; readonly at: string[] } => ({
  name: error instanceof Error ? error.name : typeof error,
  code: error instanceof Error && "code" in error ? String(error.code) : "",
  at: error instanceof Error ? placesOf(error) : [],
});

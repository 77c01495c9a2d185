/** The source of each field of an answer. */
type FieldTable<Source, Answer> = { readonly [N in keyof Answer]: (source: Source) => Answer[N] };

/** Creates the function that makes an answer in the words of another service of what is ours, field by field. */
export const byTable =
  <Source, Answer>(table: FieldTable<Source, Answer>) =>
  (source: Source): Answer => {
    const entries = Object.entries<(from: Source) => unknown>(table);
    return Object.fromEntries(entries.map(([name, read]) => [name, read(source)])) as Answer;
  };

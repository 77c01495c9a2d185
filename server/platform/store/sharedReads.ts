type Rows = readonly unknown[];
type Read = (text: string, values: readonly string[]) => Promise<Rows>;

interface Waiting {
  readonly rows: Promise<Rows>;
  readonly resolve: (rows: Rows) => void;
  readonly reject: (error: unknown) => void;
}

/** The most keys in one query, so that the first does not wait long for the last. */
const maxKeys = 64;

const afterPendingInput = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Each key is looked up by a plan of its own, because `offset` keeps the query apart: a join could read whole tables. The
 * keys are JSON, because PostgreSQL plans anew for each array: the number of its elements may matter.
 */
const textForMany = (text: string): string =>
  `select asked.n as asked_by, found.* from jsonb_array_elements_text(cast($1 as jsonb)) with ordinality as asked (key, n),
    lateral (select * from (${text.replaceAll("$1", "asked.key")}) as one offset 0) as found`;

/**
 * Returns a function that runs a query for its only parameter, a text, and shares the work with other calls: those
 * that come while it runs are answered by its next run. Each sees what was committed before its call.
 */
export const createSharedReads = (read: Read): ((text: string, key: string) => Promise<Rows>) => {
  const readers = new Map<string, (key: string) => Promise<Rows>>();

  const createReader = (text: string): ((key: string) => Promise<Rows>) => {
    const forMany = textForMany(text);
    const waiting = new Map<string, Waiting>();
    let isRunning = false;

    const readAlone = ([key, { resolve, reject }]: readonly [string, Waiting]): Promise<void> =>
      read(text, [key]).then(resolve, reject);

    const readTogether = async (asked: readonly (readonly [string, Waiting])[]): Promise<void> => {
      const keys = asked.map(([key]) => key);
      const found = asked.map((): unknown[] => []);
      const rows = await read(forMany, [JSON.stringify(keys)]);
      for (const { asked_by: n, ...row } of rows as readonly { readonly asked_by: number }[])
        found[n - 1]?.push(row);
      for (const [n, [, { resolve }]] of asked.entries()) resolve(found[n] ?? []);
    };

    const runAll = async (): Promise<void> => {
      while (waiting.size > 0) {
        await afterPendingInput();
        const asked = [...waiting].slice(0, maxKeys);
        for (const [key] of asked) waiting.delete(key);
        // A key that the database refuses fails alone.
        if (asked.length > 1) await readTogether(asked).catch(() => Promise.all(asked.map(readAlone)));
        else await Promise.all(asked.map(readAlone));
      }
      isRunning = false;
    };

    return (key) => {
      const known = waiting.get(key);
      if (known) return known.rows;
      const { promise, resolve, reject } = Promise.withResolvers<Rows>();
      waiting.set(key, { rows: promise, resolve, reject });
      if (!isRunning) {
        isRunning = true;
        void runAll();
      }
      return promise;
    };
  };

  return (text, key) => {
    const reader = readers.get(text) ?? createReader(text);
    readers.set(text, reader);
    return reader(key);
  };
};

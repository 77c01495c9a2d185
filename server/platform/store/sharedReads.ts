type Rows = readonly unknown[];
type Read = (text: string, values: readonly string[]) => Promise<Rows>;
type Keys = readonly string[];

interface Waiting {
  readonly keys: Keys;
  readonly rows: Promise<Rows>;
  readonly resolve: (rows: Rows) => void;
  readonly reject: (error: unknown) => void;
}

/** The most calls that one query answers, so that the first does not wait long for the last. */
const maxCalls = 64;

const afterPendingInput = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Each call is answered by a plan of its own, because `offset` keeps the query apart: a join could read whole tables. The
 * keys are JSON, because PostgreSQL plans anew for each array: the number of its elements may matter.
 */
const textForMany = (text: string): string => {
  const one = text.replaceAll(/\$(\d+)/g, (_, n: string) => `(asked.keys ->> ${Number(n) - 1})`);
  return `select asked.n as asked_by, found.*
    from jsonb_array_elements(cast($1 as jsonb)) with ordinality as asked (keys, n),
      lateral (select * from (${one}) as one offset 0) as found`;
};

/**
 * Returns a function that runs a query whose parameters are all texts, and shares the work with other calls of the same
 * query: those that come while it runs are answered by its next run. Each sees what was committed before its call.
 */
export const createSharedReads = (read: Read): Read => {
  const readers = new Map<string, (keys: Keys) => Promise<Rows>>();

  const createReader = (text: string): ((keys: Keys) => Promise<Rows>) => {
    const forMany = textForMany(text);
    const waiting = new Map<string, Waiting>();
    let isRunning = false;

    const readAlone = ({ keys, resolve, reject }: Waiting): Promise<void> =>
      read(text, keys).then(resolve, reject);

    const readTogether = async (asked: readonly Waiting[]): Promise<void> => {
      const found = asked.map((): unknown[] => []);
      const rows = await read(forMany, [JSON.stringify(asked.map(({ keys }) => keys))]);
      for (const { asked_by: n, ...row } of rows as readonly { readonly asked_by: number }[])
        found[n - 1]?.push(row);
      for (const [n, { resolve }] of asked.entries()) resolve(found[n] ?? []);
    };

    const runAll = async (): Promise<void> => {
      while (waiting.size > 0) {
        await afterPendingInput();
        const asked = [...waiting].slice(0, maxCalls);
        for (const [name] of asked) waiting.delete(name);
        const calls = asked.map(([, call]) => call);
        // A key that the database refuses fails alone.
        if (calls.length > 1) await readTogether(calls).catch(() => Promise.all(calls.map(readAlone)));
        else await Promise.all(calls.map(readAlone));
      }
      isRunning = false;
    };

    return (keys) => {
      const name = JSON.stringify(keys);
      const known = waiting.get(name);
      if (known) return known.rows;
      const { promise, resolve, reject } = Promise.withResolvers<Rows>();
      waiting.set(name, { keys, rows: promise, resolve, reject });
      if (!isRunning) {
        isRunning = true;
        void runAll();
      }
      return promise;
    };
  };

  return (text, keys) => {
    const reader = readers.get(text) ?? createReader(text);
    readers.set(text, reader);
    return reader(keys);
  };
};

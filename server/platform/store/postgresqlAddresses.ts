import pg from "pg";

/** The addresses that must lead to one database. */
interface Addresses {
  readonly url: string;
  readonly directUrl: string | null;
  readonly readUrl: string | null;
}

interface Place {
  readonly is_standby: boolean;
  readonly database: string;
  /** The same for a server and its standbys; null where the database does not tell. */
  readonly system: string | null;
}

const connectWithinMs = 10_000;

/** Returns the server that an address leads to; null while nobody answers there. */
const readPlace = async (connectionString: string): Promise<Place | null> => {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectWithinMs });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<Place>(
      "select pg_is_in_recovery() as is_standby, current_database() as database, null as system",
    );
    const system = await client
      .query<{ id: string }>("select system_identifier::text as id from pg_control_system()")
      .then(
        (answer) => answer.rows[0]?.id ?? null,
        () => null,
      );
    return rows[0] === undefined ? null : { ...rows[0], system };
  } catch {
    return null;
  } finally {
    await client.end().catch(() => {});
  }
};

const isOther = (one: Place, other: Place): boolean =>
  one.database !== other.database ||
  (one.system !== null && other.system !== null && one.system !== other.system);

/**
 * Returns what an operator has to change when the addresses lead to different databases, or the direct one to a standby; null
 * when they fit. A standby that does not answer, or has become the primary, is no problem of the settings.
 */
export const findAddressProblem = async ({ url, directUrl, readUrl }: Addresses): Promise<string | null> => {
  if (directUrl === null && readUrl === null) return null;
  const [main, direct, read] = await Promise.all(
    [url, directUrl, readUrl].map((one) => (one === null ? null : readPlace(one))),
  );
  if (main && direct && isOther(main, direct))
    return "DATABASE_DIRECT_URL leads to another database than DATABASE_URL: it must name the server behind the pooler";
  if (direct?.is_standby === true)
    return "DATABASE_DIRECT_URL leads to a standby: it must name the server behind the pooler";
  if (main && read && isOther(main, read))
    return "DATABASE_READ_URL leads to another database than DATABASE_URL: it must name a standby of it";
  return null;
};

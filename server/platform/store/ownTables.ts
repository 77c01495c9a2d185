import { type DatabaseMetadataOptions, type Kysely, sql, type TableMetadata } from "kysely";

/** Returns the tables of the installation: on PostgreSQL those of the schema that it writes to, not those of others beside it. */
export const ownTables = async <Tables>(
  db: Kysely<Tables>,
  options?: DatabaseMetadataOptions,
): Promise<readonly TableMetadata[]> => {
  const tables = await db.introspection.getTables(options);
  if (tables.every(({ schema }) => schema === undefined)) return tables;
  const { rows } = await sql<{ readonly name: string }>`select current_schema() as name`.execute(db);
  return tables.filter(({ schema }) => schema === rows[0]?.name);
};

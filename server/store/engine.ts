import type { ColumnDataType, Dialect, Expression, RawBuilder } from "kysely";

/** What differs between the two databases; all queries are otherwise the same. */
export interface Engine {
  readonly name: "sqlite" | "postgresql";
  readonly dialect: Dialect;
  /** The column type of binary content. */
  readonly binaryType: ColumnDataType;
  /** The column type of a number that the database increments by itself. */
  readonly autoIncrementType: ColumnDataType | Expression<unknown>;
  /** Returns the rows of a JSON array of arrays as a table `each`, whose fields are `each.value ->> n`. */
  readonly jsonRows: (json: string) => RawBuilder<unknown>;
  /** Returns whether an error means that a unique value already exists. */
  readonly isDuplicate: (error: unknown) => boolean;
  /** Returns why a power cut could lose a committed transaction; null when it cannot (D44). */
  readonly findDurabilityProblem: () => Promise<string | null>;
  /** Removes deleted content from the database files, as far as the engine can. */
  readonly purgeDeleted: () => Promise<void>;
}

import type { ColumnDataType, Dialect, Expression, RawBuilder } from "kysely";

/** What differs between the databases we run on; everything else is one query layer. */
export interface Engine {
  readonly name: "sqlite" | "postgresql";
  readonly dialect: Dialect;
  /** Bytes as they came. */
  readonly bytes: ColumnDataType;
  /** A whole number that the database counts up by itself. */
  readonly increasing: ColumnDataType | Expression<unknown>;
  /** Rows from a JSON array of arrays, as a table `each` whose fields are `each.value ->> n`. */
  readonly each: (json: string) => RawBuilder<unknown>;
  /** Whether an error means that a unique value was there already. */
  readonly isDuplicate: (error: unknown) => boolean;
  /** Why an answered commit could be lost in a power cut; null when it cannot be (D44). */
  readonly weakness: () => Promise<string | null>;
  /** Makes sure that what was deleted can no longer be read from the disk, as far as that is ours to do. */
  readonly forget: () => Promise<void>;
}

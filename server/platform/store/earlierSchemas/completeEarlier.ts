import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Engine } from "../engine.ts";
import { earlierSteps } from "./earlierSteps.ts";

/** The initial migration of a database of an earlier schema: runs the steps that it lacks, and takes the place of all. */
export const completeEarlier = (engine: Engine, applied: readonly string[]): Migration => ({
  up: async (db: Kysely<never>): Promise<void> => {
    const steps = Object.entries(earlierSteps(engine));
    const missing = steps.filter(([name]) => !applied.includes(name));
    for (const [, step] of missing.toSorted(([one], [other]) => (one < other ? -1 : 1))) await step.up(db);
    await sql`delete from kysely_migration where name in (${sql.join(steps.map(([name]) => name))})`.execute(
      db,
    );
  },
});

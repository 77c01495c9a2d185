import type { Clock } from "../../core/ports/clock.ts";
import { addCounts } from "../store/counts.ts";
import type { Database } from "../store/database.ts";
import { countedVerdicts } from "./countedMail.ts";
import type { NoteVerdict } from "./sampleSenders.ts";

/** Makes what counts a verdict that was found after its mail was counted. */
export const makeNoteVerdict =
  (database: Database, clock: Pick<Clock, "now">): NoteVerdict =>
  async (route, authentication) => {
    const now = clock.now();
    await database.transaction((db) =>
      addCounts(db, database.engine, countedVerdicts(route, authentication, now), now),
    );
  };

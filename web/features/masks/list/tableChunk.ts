import { createChunk } from "../../../loading/chunk.ts";

/** The code of the rows, which is asked for at once where this device shows them. */
export const tableChunk = createChunk(
  () => import("./MaskTable.tsx"),
  (module) => module.MaskTable,
);

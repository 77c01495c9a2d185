import { makeChunk } from "../loading/chunk.ts";

/** The first tab, which signing in leads to. */
export const masksScreen = makeChunk(
  () => import("../masks/MasksTab.tsx"),
  (module) => module.MasksTab,
);

import { createChunk } from "../loading/chunk.ts";

/** The code of the masks tab, which is shown first after signing in. */
export const masksScreen = createChunk(
  () => import("../masks/MasksTab.tsx"),
  (module) => module.MasksTab,
);

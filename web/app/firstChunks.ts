import { loadSignedIn } from "../../core/app/signedInLoader.ts";
import { createChunk } from "../loading/chunk.ts";

/** The code of core that only a signed-in user needs. */
export const signedInCode = createChunk(loadSignedIn, (module) => module);

/** The code of the masks tab, which is shown first after signing in. */
export const masksScreen = createChunk(
  () => import("../features/masks/MasksTab.tsx"),
  (module) => module.MasksTab,
);

import { makeChunk } from "../loading/chunk.ts";

/** The signed-in page, which nobody needs who is not signed in. */
export const frame = makeChunk(() => import("./Frame.tsx").then((module) => module.Frame));

/** The first tab of it. */
export const masksScreen = makeChunk(() => import("../masks/MasksTab.tsx").then((module) => module.MasksTab));

/** Fetches what is seen first after signing in, both at once. */
export const prefetchFrame = (): void => {
  frame.prefetch();
  masksScreen.prefetch();
};

import type { CreateFeature } from "../../context/feature.ts";
import { toPart } from "../../platform/ops/lifecycle.ts";
import { createDigest } from "./digest.ts";

/** Mail that rules collect, sent as one mail an hour or a day. */
export const digestFeature: CreateFeature = (context) => ({
  jobs: [toPart("digest", createDigest({ ...context, onQueued: context.delivery.wake }).start)],
});

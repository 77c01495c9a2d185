import { toPart } from "../../platform/ops/lifecycle.ts";
import type { CreateFeature } from "../feature.ts";
import { createDigest } from "./digest.ts";

/** Mail that rules collect, sent as one mail a day. */
export const digestFeature: CreateFeature = (context) => ({
  jobs: [toPart("digest", createDigest({ ...context, onQueued: context.delivery.wake }).start)],
});

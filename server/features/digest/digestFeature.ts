import type { CreateFeature } from "../../context/feature.ts";
import { toPart } from "../../platform/ops/lifecycle.ts";
import { createDigest } from "./digest.ts";
import { digestRecord } from "./digestRecord.ts";

/** Mail that rules collect, sent as one mail an hour or a day. */
export const digestFeature: CreateFeature = (context) => ({
  mail: { records: [digestRecord] },
  jobs: [toPart("digest", createDigest({ ...context, onQueued: context.delivery.wake }).start)],
});

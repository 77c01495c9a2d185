import { minuteMs } from "../../../core/kernel/durations.ts";
import type { CreateFeature } from "../../context/feature.ts";
import { createSealDetail } from "../../delivery/mailLog/sealDetail.ts";
import { createIntervalTask } from "../../platform/ops/interval.ts";
import { toPart } from "../../platform/ops/lifecycle.ts";
import { pruneCodes } from "./codeQueries.ts";
import { createCodeRecord } from "./codeRecord.ts";
import { codeRoutes } from "./codeRoutes.ts";
import { createCodeSocket } from "./codeSocket.ts";

/** The one-time codes that arrive in mail, shown for some minutes to those who want that. */
export const codesFeature: CreateFeature = (context) => {
  const { database, seal, random, relay, clock, log } = context;
  return {
    routes: [codeRoutes(context)],
    socket: [createCodeSocket(context)],
    mail: {
      records: [
        createCodeRecord({
          sealDetail: createSealDetail(database.engine, relay.encryptionPool),
          seal,
          random,
        }),
      ],
    },
    jobs: [
      toPart(
        "codes",
        createIntervalTask(() => pruneCodes(database.db, clock.now()), {
          everyMs: minuteMs,
          failureMessage: "deleting old codes failed",
          clock,
          log,
        }).start,
      ),
    ],
  };
};

import type { CreateFeature } from "../../context/feature.ts";
import { toPart } from "../../platform/ops/lifecycle.ts";
import { createResourceFeature } from "../../platform/socket/socketFeature.ts";
import { createCategory, createClassifyMail, createExternalModel } from "./classification.ts";
import { createInsightsRecord, createRecordVerdict } from "./countMails.ts";
import { insightsRoutes } from "./insightsRoutes.ts";
import { createMailCounting, createRetention } from "./retention.ts";
import { createSampleSenders } from "./sampleSenders.ts";
import { readSenderHabits } from "./senderHabits.ts";
import { createUserInsights } from "./userInsights.ts";

/** The insights about a user's mail. */
export const insightsFeature: CreateFeature = (context) => {
  const { database, clock, log, config, relay } = context;
  const { aiModel } = config;
  const classify = createClassifyMail({
    external: aiModel && createExternalModel(aiModel, clock),
    readHabits: ({ userId, maskId }, domain) => readSenderHabits(database.db, { userId, maskId, domain }),
  });
  const record = createRecordVerdict(database, relay.group, clock);
  return {
    routes: [insightsRoutes({ ...context, insights: createUserInsights(context) })],
    socket: [createResourceFeature("insights")],
    mail: {
      facts: [createCategory(classify)],
      records: [createInsightsRecord(createSampleSenders({ check: relay.judge, record, clock }))],
    },
    jobs: [
      toPart("counting", createMailCounting(database, clock, log).start),
      toPart("retention", createRetention(database, clock, log).start),
    ],
  };
};

import type { MessageContent } from "../../../core/webhooks/webhookEvent.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { createStrangersHourlyLimit } from "../../platform/ops/hourlyLimit.ts";
import { refusalDetail } from "../../relay/log/logDetail.ts";
import type { MailRecord } from "../../relay/mailPart.ts";
import { announce, type Occurrence } from "./announce.ts";
import { announceMails, refusedOccurrence } from "./announceMails.ts";
import { readWebhookContent } from "./webhookContent.ts";
import { refusalsPerHour } from "./webhookLimits.ts";

/** Creates what announces mail to webhooks: stored mail in its transaction, refused mail without waiting for it. */
export const createWebhookMailRecord = ({
  relay: { group },
  seal,
  clock,
}: Pick<ServerContext, "relay" | "seal" | "clock">): MailRecord<MessageContent | null> => {
  const mayAnnounce = createStrangersHourlyLimit(clock.now, refusalsPerHour);
  const submit = group.kind<Occurrence, null>(
    async (db, occurrences) => {
      await announce(db, seal, occurrences, clock.now());
      return occurrences.map(() => null);
    },
    { weightOf: () => 1, canWait: true },
  );
  return {
    prepare: (mail, decisions) =>
      readWebhookContent(
        mail,
        decisions.map(({ route }) => route),
      ),
    store: ({ db, now }, mails, contents) =>
      announceMails(
        db,
        seal,
        mails.map((mail, n) => ({ mail, content: contents[n] ?? null })),
        now,
      ),
    refused: (mail) => {
      for (const route of mail.routes)
        if (route.webhooks !== "none" && !route.isNew && mayAnnounce(route.userId, mail.network))
          submit(refusedOccurrence(route, mail, refusalDetail(route, mail, mail.reply).cause)).catch(
            () => {},
          );
    },
  };
};

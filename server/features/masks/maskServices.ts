import type { ServerContext } from "../../context/serverContext.ts";
import type { RecipientKind } from "../../relay/receive/recipientKind.ts";
import { createNoticeNoRoom, type NoticeNoRoom } from "../notifications/noRoomNotice.ts";
import { createFindMask, type FindMask } from "./findMask.ts";
import { createMaskRecipients, type FoundMask } from "./maskRecipients.ts";
import { createNoticeOffMail } from "./offMailNotice.ts";

/** The offers of masks to other features. */
export interface MaskServices {
  readonly findMask: FindMask;
  /** Admits masks to a mail, for kinds of recipients that lead to one. */
  readonly recipients: RecipientKind<FoundMask>;
  readonly noticeNoRoom: NoticeNoRoom;
}

/** Creates what finds the masks of mail. */
export const createMaskServices = ({ database, clock, config, relay }: ServerContext): MaskServices => {
  const findMask = createFindMask({ database, clock, maskDomain: config.maskDomain });
  const onNotified = (): void => relay.onQueued(false);
  const noticeNoRoom = createNoticeNoRoom({ database, clock, onNotified });
  return {
    findMask,
    noticeNoRoom,
    recipients: createMaskRecipients({
      findMask,
      noticeOffMail: createNoticeOffMail({ database, clock }),
      noticeNoRoom,
      keptRoom: relay.keptRoom,
    }),
  };
};

declare module "../../context/feature.ts" {
  interface FeatureContext {
    readonly masks: MaskServices;
  }
}

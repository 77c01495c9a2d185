import type { Migration } from "kysely/migration";
import type { Engine } from "../engine.ts";
import { start } from "./2026_11_20_start.ts";
import {
  encryptionKeys,
  idempotentAnswers,
  insights,
  notifications,
  ruleEffects,
  ruleVersions,
  sessionRotation,
  twoFactor,
} from "./2026_11_21.ts";
import { addressChange, billing } from "./2026_11_22.ts";
import { eventClients, publishedKeys } from "./2026_11_23.ts";
import { operators } from "./2026_11_24.ts";
import { deletedMasks } from "./2026_11_25.ts";
import { acceptUnproven, dkimKeys, replies } from "./2026_11_28.ts";
import { bodies } from "./2026_11_29.ts";
import { maskOrder } from "./2026_11_30.ts";
import { senderDays } from "./2026_12_01_senderDays.ts";
import { heldMails } from "./2026_12_02_heldMails.ts";
import { newMails } from "./2026_12_03_newMails.ts";
import { answerOrder } from "./2026_12_05_answerOrder.ts";
import { appPasswords, operatorFigures } from "./2026_12_06.ts";
import { maskDestinations, maskExpiry, senderLists, senderModes, whenOff } from "./2026_12_08_senderLists.ts";
import { delayNotices, tlsPolicies } from "./2026_12_10_delayNotices.ts";
import { segments } from "./2026_12_12_segments.ts";
import {
  destinationNames,
  heldNotices,
  labels,
  maskFormat,
  maskSenderShown,
  notificationSenders,
  replyPauses,
  senderShown,
} from "./2026_12_14_replyPauses.ts";
import { accountRules } from "./2026_12_19_accountRules.ts";
import { mailLog } from "./2026_12_20_mailLog.ts";
import { domains } from "./2026_12_21_domains.ts";
import { lastMails } from "./2026_12_22_lastMails.ts";
import { sentMail } from "./2026_12_23_sentMail.ts";
import { listedMasks } from "./2026_12_24_listedMasks.ts";
import { reverseAddresses } from "./2026_12_27_reverseAddresses.ts";
import { codeCounts } from "./2026_12_28_codeCounts.ts";
import { senderProof } from "./2026_12_28_senderProof.ts";
import { lostMasks } from "./2026_12_29_lostMasks.ts";
import { leaseClock } from "./2026_12_30_leaseClock.ts";

/** All migrations by name, in order. A released name never changes. */
export const allMigrations = (engine: Engine): Readonly<Record<string, Migration>> => ({
  "2026_11_20_start": start(engine),
  "2026_11_21_answers": idempotentAnswers(),
  "2026_11_21_keys": encryptionKeys(),
  "2026_11_21_notifications": notifications(engine),
  "2026_11_21_relay": ruleEffects(engine),
  "2026_11_21_rotation": sessionRotation(),
  "2026_11_21_twoFactor": twoFactor(),
  "2026_11_21_rules": ruleVersions(),
  "2026_11_22_billing": billing(),
  "2026_11_23_publishedKeys": publishedKeys(),
  "2026_11_21_insights": insights(engine),
  "2026_11_22_addressChange": addressChange(),
  "2026_11_23_eventClients": eventClients(),
  "2026_11_24_operators": operators(),
  "2026_11_25_deletedMasks": deletedMasks(),
  "2026_11_28_acceptUnproven": acceptUnproven(),
  "2026_11_28_dkimKeys": dkimKeys(),
  "2026_11_28_replies": replies(),
  "2026_11_29_bodies": bodies(engine),
  "2026_11_30_maskOrder": maskOrder(),
  "2026_12_01_senderDays": senderDays(),
  "2026_12_02_heldMails": heldMails(),
  "2026_12_03_newMails": newMails(engine),
  "2026_12_05_answerOrder": answerOrder(),
  "2026_12_06_appPasswords": appPasswords(),
  "2026_12_07_operatorFigures": operatorFigures(),
  "2026_12_08_senderLists": senderLists(),
  "2026_12_09_whenOff": whenOff(),
  "2026_12_10_delayNotices": delayNotices(),
  "2026_12_10_tlsPolicies": tlsPolicies(),
  "2026_12_11_senderModes": senderModes(),
  "2026_12_12_segments": segments(),
  "2026_12_13_maskExpiry": maskExpiry(),
  "2026_12_14_replyPauses": replyPauses(),
  "2026_12_15_maskDestinations": maskDestinations(),
  "2026_12_15_senderShown": senderShown(),
  "2026_12_16_destinationNames": destinationNames(),
  "2026_12_16_maskSenderShown": maskSenderShown(),
  "2026_12_17_heldNotices": heldNotices(),
  "2026_12_17_labels": labels(),
  "2026_12_18_maskFormat": maskFormat(),
  "2026_12_18_notificationSenders": notificationSenders(),
  "2026_12_19_accountRules": accountRules(),
  "2026_12_20_mailLog": mailLog(),
  "2026_12_21_domains": domains(),
  "2026_12_22_lastMails": lastMails(engine),
  "2026_12_23_sentMail": sentMail(),
  "2026_12_24_listedMasks": listedMasks(),
  "2026_12_27_reverseAddresses": reverseAddresses(),
  "2026_12_28_codeCounts": codeCounts(),
  "2026_12_28_senderProof": senderProof(),
  "2026_12_29_lostMasks": lostMasks(),
  "2026_12_30_leaseClock": leaseClock(),
});

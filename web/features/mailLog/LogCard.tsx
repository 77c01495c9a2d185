import { useEffect } from "react";
import type { LogMode } from "../../../core/mailLog/logEntry.ts";
import { createMailLogPages } from "../../../core/mailLog/mailLog.ts";
import { addressText } from "../../navigation/address.ts";
import { SettingsRow } from "../../navigation/SettingsCard.tsx";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { ButtonLink } from "../../ui/ButtonLink.tsx";

const stateTexts: Readonly<Record<LogMode, string>> = {
  off: "Off.",
  domain: "On: domains are kept.",
  address: "On: addresses are kept.",
};

/** Says whether the log is on, and leads to it. */
export const LogCard = () => {
  const log = useFeature(createMailLogPages);
  const { settings } = useObservable(log.view$);
  useEffect(() => log.open({ maskId: null, direction: null, result: null, text: "" }), [log]);
  return (
    <SettingsRow
      title="Your mail and what happened to it"
      text={settings === null ? "" : stateTexts[settings.keep]}
    >
      <ButtonLink href={addressText(["log"])}>Show the log</ButtonLink>
    </SettingsRow>
  );
};

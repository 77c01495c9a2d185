import * as t from "io-ts";
import { endpoint } from "../../../../core/api/endpoint.ts";
import type { SenderShown } from "../../../../core/mail/forwardedFrom.ts";
import { type MaskFormat, usualFormat } from "../../../../core/masks/maskFormat.ts";
import { byTable } from "../../../platform/answers/byTable.ts";

const Generator = t.keyof({ uuid: null, word: null });
const RandomSuffix = t.keyof({ word: null, random_string: null });
const SenderFormat = t.keyof({ AT: null, A: null, NAME_ONLY: null, AT_ONLY: null, NO_NAME: null });
type SenderFormat = t.TypeOf<typeof SenderFormat>;

/** The settings of an account, as SimpleLogin's clients read them. */
export const Setting = t.type({
  alias_generator: Generator,
  notification: t.boolean,
  random_alias_default_domain: t.string,
  sender_format: SenderFormat,
  random_alias_suffix: RandomSuffix,
});
export type Setting = t.TypeOf<typeof Setting>;

/** The account's settings that these stand for. */
export interface OwnSettings {
  /** undefined for the usual one. */
  readonly maskFormat: MaskFormat | undefined;
  readonly heldNotices: boolean;
  readonly senderShown: SenderShown;
  readonly maskDomain: string;
}

const formatOf: Readonly<Record<SenderShown, SenderFormat>> = {
  full: "AT",
  mask: "NAME_ONLY",
  address: "AT_ONLY",
};
const shownOf: Readonly<Record<SenderFormat, SenderShown>> = {
  AT: "full",
  A: "full",
  NAME_ONLY: "mask",
  AT_ONLY: "address",
  NO_NAME: "address",
};

const words: MaskFormat = { kind: "words", length: 4 };

/** Returns the account's settings as SimpleLogin has them. */
export const toSetting = byTable<OwnSettings, Setting>({
  alias_generator: ({ maskFormat }) => (maskFormat?.kind === "uuid" ? "uuid" : "word"),
  notification: ({ heldNotices }) => heldNotices,
  random_alias_default_domain: ({ maskDomain }) => maskDomain,
  sender_format: ({ senderShown }) => formatOf[senderShown],
  random_alias_suffix: ({ maskFormat }) => (maskFormat?.kind === "words" ? "word" : "random_string"),
});

const SettingChange = t.partial(Setting.props);
export type SettingChange = t.TypeOf<typeof SettingChange>;

/** Returns the format of generated addresses that a change asks for; undefined when it asks for none. */
const formatIn = ({
  alias_generator: generator,
  random_alias_suffix: suffix,
}: SettingChange): MaskFormat | undefined => {
  if (generator === "uuid") return { kind: "uuid" };
  if (suffix !== undefined) return suffix === "word" ? words : usualFormat;
  return generator && words;
};

/** Returns what a change of these settings changes of ours. */
export const ownSettingsIn = (
  change: SettingChange,
): Partial<Pick<OwnSettings, "maskFormat" | "heldNotices" | "senderShown">> => {
  const maskFormat = formatIn(change);
  return {
    ...(maskFormat && { maskFormat }),
    ...(change.notification !== undefined && { heldNotices: change.notification }),
    ...(change.sender_format && { senderShown: shownOf[change.sender_format] }),
  };
};

const path = "/api/setting";

export const getSetting = endpoint("GET", path, { tokens: "any", answer: Setting });

/** Changes the settings that the body names. */
export const patchSetting = endpoint("PATCH", path, {
  tokens: "masks:write",
  body: SettingChange,
  answer: Setting,
});

/** Lists the domains at which addresses are generated. */
export const getSettingDomains = endpoint("GET", "/api/v2/setting/domains", {
  tokens: "any",
  answer: t.readonlyArray(t.type({ domain: t.string, is_custom: t.boolean })),
});

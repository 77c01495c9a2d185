import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import * as t from "io-ts";
import type { Call } from "../api/call.ts";
import { patchDestination, postDestination } from "../destinations/destinationEndpoints.ts";
import type { Failure } from "../kernel/failure.ts";
import { isSameJson } from "../kernel/sameJson.ts";
import { Label as LabelName } from "../labels/label.ts";
import { LabelColor, postLabel } from "../labels/labelEndpoints.ts";
import { ActionLinkPlace } from "../mail/actionLinkPlace.ts";
import { SenderShown } from "../mail/forwardedFrom.ts";
import { UnsubscribeMode } from "../mail/unsubscribeMode.ts";
import { ForwardTo } from "../masks/mask.ts";
import { MaskFormat } from "../masks/maskFormat.ts";
import { SharedListSettings } from "../masks/sharedListSettings.ts";
import { getAccountRules, putAccountRules } from "../rules/account/accountRuleEndpoints.ts";
import type { Rule } from "../rules/model/rule.ts";
import { readRules } from "../rules/model/ruleList.ts";
import { type AccountPlace, accountPlaces } from "../rules/model/rulePlace.ts";
import type { Account } from "../session/user.ts";
import { updateProfile } from "./profileEndpoints.ts";

const ImportedDestination = t.intersection([
  t.type({ email: ForwardTo }),
  t.partial({ name: t.string, isDefault: t.boolean, publicKey: t.string, furtherKeys: t.array(t.string) }),
]);

const ImportedLabel = t.intersection([
  t.type({ name: LabelName, color: LabelColor }),
  t.partial({ masks: t.number }),
]);

const settings = {
  senderShown: SenderShown,
  actionLinks: ActionLinkPlace,
  unsubscribe: UnsubscribeMode,
  calendarsThroughMask: t.boolean,
  maskTags: t.boolean,
  heldNotices: t.boolean,
  maskFormat: MaskFormat,
  maskListSettings: SharedListSettings,
} as const;
type Settings = { readonly [N in keyof typeof settings]?: t.TypeOf<(typeof settings)[N]> };

/** The usual value of each setting of an account, and its name in words. */
const usual: Readonly<Record<keyof Settings, { readonly value: unknown; readonly name: string }>> = {
  senderShown: { value: "full", name: "how senders are shown" },
  actionLinks: { value: "off", name: "the links in forwarded email" },
  unsubscribe: { value: "as-is", name: "how mailing lists are left" },
  calendarsThroughMask: { value: true, name: "answers to invitations" },
  maskTags: { value: true, name: "tags in the addresses of masks" },
  heldNotices: { value: true, name: "notices of held mail" },
  maskFormat: { value: undefined, name: "the format of new addresses" },
  maskListSettings: { value: undefined, name: "the order and layout of the list" },
};

/** The parts of an export beside the masks that a new account can take over. */
export type ImportedPart =
  | ({ readonly kind: "destination" } & t.TypeOf<typeof ImportedDestination>)
  | { readonly kind: "label"; readonly name: string; readonly color: LabelColor }
  | { readonly kind: "settings"; readonly settings: Settings }
  | { readonly kind: "rules"; readonly place: AccountPlace; readonly rules: readonly Rule[] };

/** A part that cannot be read, with its place in its list, counted from 1. */
interface UnreadablePart {
  readonly kind: "unreadable";
  readonly title: string;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const readAll = <A>(
  list: unknown,
  codec: t.Type<A, unknown, unknown>,
  what: string,
  toPart: (value: A) => readonly ImportedPart[],
): readonly (ImportedPart | UnreadablePart)[] =>
  listOf(list).flatMap((item, at): readonly (ImportedPart | UnreadablePart)[] => {
    const decoded = codec.decode(item);
    return decoded._tag === "Right"
      ? toPart(decoded.right)
      : [{ kind: "unreadable", title: `${what} ${at + 1}` }];
  });

const rulesTitle = (place: AccountPlace, count: number): string =>
  `${count} ${count === 1 ? "rule" : "rules"} ${place} those of each mask`;

const readSettings = (sent: unknown): readonly (ImportedPart | UnreadablePart)[] => {
  if (typeof sent !== "object" || sent === null) return [];
  const given = Object.entries(settings).filter(([name]) => name in sent);
  const decoded = given.map(([name, codec]) => ({
    name,
    value: codec.decode((sent as Readonly<Record<string, unknown>>)[name]),
  }));
  const known = decoded.flatMap(({ name, value }) => (value._tag === "Right" ? [[name, value.right]] : []));
  return [
    ...decoded.flatMap(({ name, value }): readonly UnreadablePart[] =>
      value._tag === "Left" ? [{ kind: "unreadable", title: `The setting “${name}”` }] : [],
    ),
    ...(known.length > 0
      ? [{ kind: "settings", settings: Object.fromEntries(known) as Settings } as const]
      : []),
  ];
};

const readAccountRules = (sent: unknown): readonly (ImportedPart | UnreadablePart)[] =>
  accountPlaces.flatMap((place): readonly (ImportedPart | UnreadablePart)[] => {
    if (typeof sent !== "object" || sent === null) return [];
    const { rules, unreadable } = readRules(listOf((sent as Readonly<Record<string, unknown>>)[place]));
    return [
      ...(rules.length > 0 ? [{ kind: "rules", place, rules } as const] : []),
      ...(unreadable > 0 ? [{ kind: "unreadable", title: rulesTitle(place, unreadable) } as const] : []),
    ];
  });

/** Reads the parts of an export: destinations, labels that have a color or no mask, settings, and rules for all masks; others are ignored. */
export const readParts = (exported: {
  readonly destinations?: unknown;
  readonly labels?: unknown;
  readonly settings?: unknown;
  readonly accountRules?: unknown;
}): readonly (ImportedPart | UnreadablePart)[] => [
  ...readAll(exported.destinations, ImportedDestination, "Address", (destination) => [
    { kind: "destination", ...destination },
  ]),
  ...readAll(exported.labels, ImportedLabel, "Label", ({ name, color, masks }) =>
    color === "gray" && masks !== 0 ? [] : [{ kind: "label", name, color }],
  ),
  ...readSettings(exported.settings),
  ...readAccountRules(exported.accountRules),
];

/** Returns a part without the settings that the account has chosen already; null when nothing is left of it. */
export const openPart = (part: ImportedPart, account: Account | null): ImportedPart | null => {
  if (part.kind !== "settings") return part;
  const chosen: Settings = (account?.settings ?? {}) as Settings;
  const open = Object.entries(part.settings).filter(([name]) => {
    const setting = name as keyof Settings;
    return chosen[setting] === undefined || chosen[setting] === usual[setting].value;
  });
  return open.length === 0 ? null : { kind: "settings", settings: Object.fromEntries(open) };
};

/** Names a part in words. */
export const partTitle = (part: ImportedPart | UnreadablePart): string => {
  switch (part.kind) {
    case "destination":
      return `Address ${part.email}`;
    case "label":
      return `Label ${part.name}, ${part.color}`;
    case "settings":
      return `Settings: ${Object.keys(part.settings)
        .map((name) => usual[name as keyof Settings].name)
        .join(", ")}`;
    case "rules":
      return rulesTitle(part.place, part.rules.length);
    case "unreadable":
      return part.title;
  }
};

const sendDestination = (
  call: Call,
  { email, name = "", publicKey, furtherKeys, isDefault }: Extract<ImportedPart, { kind: "destination" }>,
  hasDefault: boolean,
): TE.TaskEither<Failure, string> =>
  pipe(
    call(postDestination)({ body: { email } }),
    TE.chain((added) => {
      const isConfirmed = added.status === "confirmed";
      const body = {
        ...(name !== "" && added.name === "" && { name }),
        ...(publicKey !== undefined &&
          added.keyFingerprint === null && { publicKey, ...(furtherKeys && { addKeys: furtherKeys }) }),
        ...(isDefault && isConfirmed && !hasDefault && { isDefault: true as const }),
      };
      const notes = [
        ...(isConfirmed ? [] : ["Awaiting confirmation."]),
        ...(isDefault && !isConfirmed ? ["Make it the default in Settings once it is confirmed."] : []),
      ];
      return pipe(
        Object.keys(body).length === 0
          ? TE.right<Failure, unknown>(undefined)
          : call(patchDestination)({ params: { id: added.id }, body }),
        TE.map(() => notes.join(" ")),
      );
    }),
  );

const isSameEffect = (one: Rule, other: Rule): boolean =>
  isSameJson([one.conditions, one.actions], [other.conditions, other.actions]);

/** Adds the rules that a list for all masks does not have, after those that it has. */
const sendRules = (
  call: Call,
  { place, rules }: Extract<ImportedPart, { kind: "rules" }>,
): TE.TaskEither<Failure, string> =>
  pipe(
    call(getAccountRules)(),
    TE.chain((lists) => {
      const { rules: stored, version } = lists[place];
      const existing = readRules(stored).rules;
      const ids = new Set(existing.map(({ id }) => id));
      const added = rules
        .filter((rule) => !existing.some((one) => isSameEffect(one, rule)))
        .map(({ id, ...rule }) => (ids.has(id) ? rule : { ...rule, id }));
      const left = rules.length - added.length;
      const note = left === 0 ? "" : `${left} of them were here already.`;
      if (added.length === 0) return TE.right(note);
      return pipe(
        call(putAccountRules)({
          params: { place },
          body: { rules: [...stored, ...added] },
          headers: { "if-match": `"${version}"` },
        }),
        TE.map(() => note),
      );
    }),
  );

/** Takes a part over; what the account has already stays. Returns what the user has to know about it, in sentences. */
export const sendPart = (
  call: Call,
  part: ImportedPart,
  hasDefault: boolean,
): TE.TaskEither<Failure, string> => {
  switch (part.kind) {
    case "destination":
      return sendDestination(call, part, hasDefault);
    case "label":
      return pipe(
        call(postLabel)({ body: { name: part.name, color: part.color } }),
        TE.map(({ color }) => (color === part.color ? "" : `It is ${color} here, and stays so.`)),
      );
    case "settings":
      return pipe(
        call(updateProfile)({ body: part.settings }),
        TE.map(() => ""),
      );
    case "rules":
      return sendRules(call, part);
  }
};

import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as t from "io-ts";
import { fieldErrorsOf } from "../api/fieldErrors.ts";
import { type Failure, invalid } from "../kernel/failure.ts";
import type { DomainName } from "../mail/domainName.ts";
import { Senders, SendersEdit } from "../senders/maskSenders.ts";
import {
  CustomPrefix,
  ForwardTo,
  type Mask,
  type MaskEdit,
  type MaskFieldName,
  type MaskFieldValue,
  maskFieldNames,
  maskFields,
  type NewMask,
  placeFields,
  plainFieldsOf,
} from "./mask.ts";
import { Expiry, NewExpiry } from "./maskExpiry.ts";
import { addressFields, MaskFormat } from "./maskFormat.ts";

type FieldOfForm<Kind extends true | "optional"> = {
  [N in MaskFieldName]: (typeof maskFields)[N]["isInForm"] extends Kind ? N : never;
}[MaskFieldName];

/** A plain field that the create and the edit form always have. */
export type RequiredFormField = FieldOfForm<true>;

type FormField = FieldOfForm<true | "optional">;

type FormFields = { readonly [N in FieldOfForm<true>]: MaskFieldValue<N> } & {
  readonly [N in FieldOfForm<"optional">]?: MaskFieldValue<N>;
};

/** A mask as typed into a form. An empty prefix means none; an optional field that is absent stays as it is. */
export type MaskDraft = FormFields & {
  readonly forwardTo: string;
  /** A new mask forwards to the account's own destination, whatever `forwardTo` is: its address is not known here. */
  readonly forwardsByDefault?: true | undefined;
  readonly customPrefix: string;
  /** The format of a new mask's address; absent for the account's choice. */
  readonly format?: MaskFormat | undefined;
  /** The user's domain of a new mask, and its name there; absent for that of the installation, and a generated name. */
  readonly domain?: DomainName | undefined;
  readonly localPart?: string | undefined;
  /** The destinations besides `forwardTo`; absent to leave them as they are. */
  readonly alsoTo?: readonly string[];
  /** The changes of who may write; absent when there are none. */
  readonly senders?: SendersEdit;
  /** The expiry of the mask; null for never, absent to leave it as it is. */
  readonly expiry?: NewExpiry | null;
};

const fieldsOfForm = <Kind extends true | "optional">(kind: Kind): readonly FieldOfForm<Kind>[] =>
  maskFieldNames.filter((name): name is FieldOfForm<Kind> => maskFields[name].isInForm === kind);

const requiredFields = fieldsOfForm(true);
const optionalFields = fieldsOfForm("optional");
const formFields: readonly FormField[] = [...requiredFields, ...optionalFields];

type FormCodecs<Kind extends true | "optional", C extends "input" | "stored"> = {
  [N in FieldOfForm<Kind>]: (typeof maskFields)[N][C];
};

const formCodecs = <Kind extends true | "optional", C extends "input" | "stored">(
  kind: Kind,
  codec: C,
): FormCodecs<Kind, C> =>
  Object.fromEntries(fieldsOfForm(kind).map((name) => [name, maskFields[name][codec]])) as FormCodecs<
    Kind,
    C
  >;

const pickFormFields = (fields: FormFields, names = formFields): FormFields =>
  Object.fromEntries(
    names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])),
  ) as FormFields;

/** Returns the draft of a mask; without one, of an empty form, without the optional fields. */
export const toMaskDraft = (mask?: Mask): MaskDraft => ({
  ...pickFormFields(plainFieldsOf(mask ?? {}), mask ? formFields : requiredFields),
  forwardTo: mask?.forwardTo ?? "",
  customPrefix: mask?.customPrefix ?? "",
});

/** A draft as it is kept on the device. */
export const StoredDraft = t.intersection([
  t.type({ ...formCodecs(true, "stored"), forwardTo: t.string, customPrefix: t.string }),
  t.partial({
    ...formCodecs("optional", "stored"),
    forwardsByDefault: t.literal(true),
    format: MaskFormat,
    domain: addressFields.domain,
    localPart: t.string,
    alsoTo: t.readonlyArray(t.string),
    expiry: t.union([Expiry, t.null]),
    senders: t.partial(Senders.props),
  }),
]);

export type StoredDraft = t.TypeOf<typeof StoredDraft>;

/** Returns a draft as it can be kept. */
export const toStoredDraft = (draft: MaskDraft): StoredDraft => {
  const { format, domain, localPart, forwardsByDefault, ...rest } = draft;
  return {
    ...rest,
    ...(forwardsByDefault && { forwardsByDefault }),
    ...(format && { format }),
    ...(domain !== undefined && { domain }),
    ...(localPart !== undefined && { localPart }),
  };
};

/** Decodes input that was kept for a form, valid or not; null when it is not that of such a form. */
export const decodeMaskDraft = (input: unknown): MaskDraft | null => {
  const decoded = t.exact(StoredDraft).decode(input);
  return E.isRight(decoded) ? decoded.right : null;
};

/** The origin of a new mask; the suggestion is stored with the mask (MA10). */
export type MaskOrigin =
  | { readonly kind: "plain" }
  /** Made by one press; the toast says how to get at its address. */
  | { readonly kind: "random" }
  | { readonly kind: "template" }
  | { readonly kind: "suggestion"; readonly suggestionId: string; readonly suggestionCategory: string };

const checkedWith = <C extends t.Mixed>(forwardTo: C) =>
  t.intersection([
    t.type({
      ...formCodecs(true, "input"),
      forwardTo,
      customPrefix: t.union([CustomPrefix, t.null]),
    }),
    t.partial({
      ...formCodecs("optional", "input"),
      ...addressFields,
      alsoTo: t.readonlyArray(ForwardTo),
      senders: SendersEdit,
      expiry: t.union([NewExpiry, t.null]),
    }),
  ]);
const Checked = checkedWith(ForwardTo);
const ForwardedByDefault = checkedWith(t.undefined);

const trimmed = (draft: MaskDraft) =>
  Object.fromEntries(
    Object.entries(draft).map(([name, value]) => [name, typeof value === "string" ? value.trim() : value]),
  );

type CheckedDraft = t.TypeOf<typeof Checked> | t.TypeOf<typeof ForwardedByDefault>;

const checkDraft = (draft: MaskDraft): E.Either<Failure, CheckedDraft> => {
  const given = { ...trimmed(draft), customPrefix: draft.customPrefix.trim() || null };
  const decoded: E.Either<t.Errors, CheckedDraft> = draft.forwardsByDefault
    ? ForwardedByDefault.decode({ ...given, forwardTo: undefined })
    : Checked.decode(given);
  return E.mapLeft((errors: t.Errors) => invalid(fieldErrorsOf(errors)))(decoded);
};

const premiumOnly: Failure = invalid([
  { field: "customPrefix", message: "Your account cannot choose the prefix. Leave it empty." },
]);

/** Builds the request body that creates a mask, or fails with field errors. Only some plans have prefixes (AC5). */
export const toNewMask = (
  draft: MaskDraft,
  origin: MaskOrigin,
  mayChoosePrefix: boolean,
): E.Either<Failure, NewMask> =>
  pipe(
    checkDraft(draft),
    E.filterOrElse(
      ({ customPrefix }) => customPrefix === null || mayChoosePrefix,
      () => premiumOnly,
    ),
    E.map(({ forwardTo, customPrefix, format, domain, localPart, alsoTo, senders, expiry, ...fields }) => ({
      ...placeFields(pickFormFields(fields)),
      ...(format && { format }),
      ...(domain && { domain }),
      ...(domain && localPart && { localPart }),
      ...(forwardTo !== undefined && { forwardTo }),
      ...(forwardTo !== undefined && alsoTo && { destinations: [forwardTo, ...alsoTo] }),
      ...(senders && { senders }),
      ...(expiry !== undefined && { expiry }),
      ...(customPrefix === null ? {} : { customPrefix }),
      ...(origin.kind === "suggestion"
        ? {
            metadata: {
              suggestionId: origin.suggestionId,
              suggestionCategory: origin.suggestionCategory,
            },
          }
        : {}),
    })),
  );

/** Builds the request body that changes a mask, or fails with field errors. An unchanged prefix is not sent. */
export const toMaskEdit = (
  draft: MaskDraft,
  mask: Mask | undefined,
  mayChoosePrefix: boolean,
): E.Either<Failure, MaskEdit> => {
  const isSame = (prefix: string | null): boolean => prefix === (mask?.customPrefix || null);
  return pipe(
    checkDraft(draft),
    E.filterOrElse(
      ({ customPrefix }) => isSame(customPrefix) || mayChoosePrefix,
      () => premiumOnly,
    ),
    E.map(({ forwardTo, customPrefix, alsoTo, senders, expiry, ...fields }) => ({
      ...placeFields(pickFormFields(fields)),
      ...(forwardTo !== undefined && { forwardTo }),
      ...(forwardTo !== undefined && alsoTo && { destinations: [forwardTo, ...alsoTo] }),
      ...(senders && { senders }),
      ...(expiry !== undefined && { expiry }),
      ...(isSame(customPrefix) ? {} : { customPrefix }),
    })),
  );
};

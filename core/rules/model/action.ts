import * as t from "io-ts";
import { refined } from "../../api/textCodecs.ts";
import { type ActionType, actionEntry, actionTypes, isActionType, type ParamsOf } from "./actionType.ts";
import { PartId } from "./condition.ts";

/** One thing that a rule does, with its parameters. */
export type RuleAction = {
  readonly [T in ActionType]: { readonly id?: string; readonly type: T; readonly params: ParamsOf<T> };
}[ActionType];

export type ActionOf<T extends ActionType> = Extract<RuleAction, { readonly type: T }>;

type ParamValues = Readonly<Record<string, string | boolean>>;

const paramsCodec = (type: ActionType): t.Type<ParamValues, unknown, unknown> => {
  const codecs = Object.entries(actionEntry(type).params).map(([name, { codec }]) => [name, codec]);
  return t.strict(Object.fromEntries(codecs) as Record<string, t.Type<string | boolean, unknown, unknown>>);
};

const hasEffect = ({ subjectPrefix, removeTrackers }: ParamValues): boolean =>
  subjectPrefix !== "" || removeTrackers === true;

const codecs = new Map(
  actionTypes.map((type) => [
    type,
    type === "modify"
      ? refined(paramsCodec(type), hasEffect, "Choose at least one change to the email")
      : paramsCodec(type),
  ]),
);

const decode = (u: unknown, context: t.Context): t.Validation<RuleAction> => {
  const input = (typeof u === "object" && u !== null ? u : {}) as Readonly<Record<string, unknown>>;
  const codec = isActionType(input["type"]) ? codecs.get(input["type"]) : undefined;
  if (codec === undefined) return t.failure(u, context, "Choose what to do");
  const params = codec.validate(input["params"] ?? {}, t.appendContext(context, "params", codec));
  if (params._tag === "Left") return params;
  const id = PartId.is(input["id"]) ? { id: input["id"] } : {};
  return t.success({ ...id, type: input["type"], params: params.right } as RuleAction);
};

/** Decodes an action by its type: missing flags get their initial value, unknown parameters are dropped. */
export const RuleAction: t.Type<RuleAction, RuleAction, unknown> = new t.Type(
  "action",
  (u): u is RuleAction => decode(u, [])._tag === "Right",
  decode,
  (action) => action,
);

/** A sender gets at most one automatic answer in this many days (RFC 3834, 2). */
export const autoReplyDays = 7;

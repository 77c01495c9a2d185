import * as t from "io-ts";
import { such } from "../contract/text.ts";
import { type ActionType, actionEntry, actionTypes, isActionType, type ParamsOf } from "./actionType.ts";
import { PartId } from "./condition.ts";

/** What a rule does, and how. */
export type Action = {
  readonly [T in ActionType]: { readonly id?: string; readonly type: T; readonly params: ParamsOf<T> };
}[ActionType];

/** The action of one type. */
export type ActionOf<T extends ActionType> = Extract<Action, { readonly type: T }>;

type ParamValues = Readonly<Record<string, string | boolean>>;

const paramsCodec = (type: ActionType): t.Type<ParamValues, unknown, unknown> => {
  const codecs = Object.entries(actionEntry(type).params).map(([name, { codec }]) => [name, codec]);
  return t.strict(Object.fromEntries(codecs) as Record<string, t.Type<string | boolean, unknown, unknown>>);
};

const doesSomething = ({ subjectPrefix, removeTrackers }: ParamValues): boolean =>
  subjectPrefix !== "" || removeTrackers === true;

const codecs = new Map(
  actionTypes.map((type) => [
    type,
    type === "modify"
      ? such(paramsCodec(type), doesSomething, "Choose at least one change to the mail")
      : paramsCodec(type),
  ]),
);

const decode = (u: unknown, context: t.Context): t.Validation<Action> => {
  const given = (typeof u === "object" && u !== null ? u : {}) as Readonly<Record<string, unknown>>;
  const codec = isActionType(given["type"]) ? codecs.get(given["type"]) : undefined;
  if (codec === undefined) return t.failure(u, context, "Choose what to do");
  const params = codec.validate(given["params"] ?? {}, t.appendContext(context, "params", codec));
  if (params._tag === "Left") return params;
  const id = PartId.is(given["id"]) ? { id: given["id"] } : {};
  return t.success({ ...id, type: given["type"], params: params.right } as Action);
};

/** Reads an action with the params its type has: left-out flags stand as they do at first, unknown params are dropped. */
export const Action: t.Type<Action, Action, unknown> = new t.Type(
  "action",
  (u): u is Action => decode(u, [])._tag === "Right",
  decode,
  (action) => action,
);

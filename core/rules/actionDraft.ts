import * as E from "fp-ts/lib/Either.js";
import { fieldErrorsOf } from "../contract/fieldErrors.ts";
import type { FieldError } from "../kernel/failure.ts";
import { Action } from "./action.ts";
import { type ActionType, actionEntry } from "./actionType.ts";

/** An action as it stands in the editor. */
export interface ActionDraft {
  /** Tells it from the others in the editor. */
  readonly id: string;
  readonly type: ActionType | "";
  readonly params: Readonly<Record<string, string | boolean>>;
}

/** A new line of the editor. */
export const emptyAction = (id: string): ActionDraft => ({ id, type: "", params: {} });

const initialParams = (type: ActionType): ActionDraft["params"] =>
  Object.fromEntries(Object.entries(actionEntry(type).params).map(([name, { initial }]) => [name, initial]));

/** Another type: its params stand as they do at first (RU4). The same type changes nothing. */
export const withType = (draft: ActionDraft, type: ActionType): ActionDraft =>
  draft.type === type ? draft : { id: draft.id, type, params: initialParams(type) };

export const withParam = (draft: ActionDraft, name: string, value: string | boolean): ActionDraft => ({
  ...draft,
  params: { ...draft.params, [name]: value },
});

/** The action that a draft with a type means; left: what is wrong with its params, by their names. */
export const actionOf = ({ id, type, params }: ActionDraft): E.Either<readonly FieldError[], Action> =>
  E.mapLeft((errors: Parameters<typeof fieldErrorsOf>[0]) =>
    fieldErrorsOf(errors).map(({ field, message }) => ({ field: field.replace(/^params\.?/, ""), message })),
  )(Action.decode({ id, type, params }));

export const actionDraftOf = (action: Action, id: string): ActionDraft => ({
  id,
  type: action.type,
  params: { ...initialParams(action.type), ...action.params },
});

import * as t from "io-ts";
import { isSameJson } from "../kernel/sameJson.ts";
import { everybody } from "../senders/maskSenders.ts";
import { type Mask, type MaskEdit, type MaskId, maskFields, plainFieldsOf } from "./mask.ts";
import type { Expiry } from "./maskExpiry.ts";
import { maskName } from "./maskListSettings.ts";

/** Fields of a mask by name, those of its settings too. */
type Fields = Readonly<Record<string, unknown>>;

/** An edit of a mask that was made without a connection. */
export const WaitingChange = t.intersection([
  t.type({
    id: t.string,
    /** The name of the mask when it was edited. */
    name: t.string,
    /** The edited fields as the user wants them. */
    fields: t.record(t.string, t.unknown),
    /** The same fields as the server had them then, or before the last attempt. */
    base: t.record(t.string, t.unknown),
  }),
  t.partial({
    /** The request under way or unanswered; it is repeated with the same id until it is answered (D43). */
    requestId: t.string,
    /** The fields as they were last sent, without an answer: the server may have them. */
    sent: t.record(t.string, t.unknown),
    /** The values of another device that were found before an attempt, by the names of their fields. */
    theirs: t.record(t.string, t.unknown),
    /** The reason for which the server has refused it; it waits for the user. */
    refusal: t.string,
  }),
]);
export type WaitingChange = Readonly<t.TypeOf<typeof WaitingChange>>;

/** A field that was edited here and on another device: the edit here has replaced the other. */
export interface ReplacedEdit {
  readonly id: MaskId;
  readonly name: string;
  /** The replaced values by the names of their fields. */
  readonly theirs: Fields;
}

type Changes = readonly WaitingChange[];

const isInSettings = (name: string): boolean =>
  Object.hasOwn(maskFields, name) && maskFields[name as keyof typeof maskFields].in === "settings";

/** Fields that a request has in one object, and of which it may leave out each. */
const senderFields = { "senders.mode": "mode", "senders.allow": "allow", "senders.block": "block" } as const;

const isOfSenders = (name: string): name is keyof typeof senderFields => Object.hasOwn(senderFields, name);

const fieldsOf = ({ settings, senders, ...rest }: MaskEdit): Fields => ({
  ...rest,
  ...settings,
  ...Object.fromEntries(Object.entries(senders ?? {}).map(([name, value]) => [`senders.${name}`, value])),
});

/** Returns fields as the body of a request has them. */
export const toEdit = (fields: Fields): MaskEdit => {
  const all = Object.entries(fields);
  const settings = all.filter(([name]) => isInSettings(name));
  const senders = all.flatMap(([name, value]) => (isOfSenders(name) ? [[senderFields[name], value]] : []));
  return {
    ...Object.fromEntries(all.filter(([name]) => !isInSettings(name) && !isOfSenders(name))),
    ...(settings.length > 0 && { settings: Object.fromEntries(settings) }),
    ...(senders.length > 0 && { senders: Object.fromEntries(senders) }),
  };
};

/** Returns an expiry as the user sets it: mail alone changes the rest. */
const withoutCounts = ({ idleAt: _, mailsLeft: __, ...expiry }: Expiry): Expiry => expiry;

const readField = (mask: Mask, name: string): unknown => {
  if (Object.hasOwn(maskFields, name)) return plainFieldsOf(mask)[name as keyof typeof maskFields];
  if (isOfSenders(name)) return (mask.senders ?? everybody)[senderFields[name]];
  switch (name) {
    case "destinations":
      return mask.destinations ?? [mask.forwardTo];
    case "customPrefix":
      return mask.customPrefix || null;
    case "expiry":
      return mask.expiry ? withoutCounts(mask.expiry) : null;
    default:
      return mask[name as keyof Mask] ?? null;
  }
};

const valuesOf = (mask: Mask, fields: Fields): Fields =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, readField(mask, name)]));

/** Returns the fields in which two values differ. */
const differing = (fields: Fields, others: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => !isSameJson(value, others[name])));

const pick = (fields: Fields, names: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name in names));

const without = (changes: Changes, id: MaskId): Changes => changes.filter((one) => one.id !== id);

const replace = (changes: Changes, changed: WaitingChange): Changes =>
  changes.some(({ id }) => id === changed.id)
    ? changes.map((one) => (one.id === changed.id ? changed : one))
    : [...changes, changed];

/** Returns addresses with another first one; an edit that names only that one leaves the others. */
const withFirst = ([, ...others]: readonly string[], first: string): readonly string[] => [first, ...others];

/** Returns the fields of an edit after an earlier one: addresses that wait begin with the one that is chosen now. */
const editedAfter = (known: WaitingChange | undefined, { forwardTo, ...body }: MaskEdit): Fields => {
  const waiting = known?.fields["destinations"] as readonly string[] | undefined;
  const destinations =
    body.destinations ?? (waiting && forwardTo !== undefined ? withFirst(waiting, forwardTo) : undefined);
  return {
    ...known?.fields,
    ...fieldsOf(body),
    ...(forwardTo !== undefined && { forwardTo }),
    ...(destinations && { destinations }),
  };
};

/** Adds an edit of a mask, which the server has as `mask`; one that takes back what waits leaves nothing to send. */
export const addChange = (changes: Changes, mask: Mask, body: MaskEdit): Changes => {
  const known = changes.find(({ id }) => id === mask.id);
  const edited = editedAfter(known, body);
  const all = { ...valuesOf(mask, edited), ...known?.base };
  // What was sent is sent again, though it is as before: the server may have it by now.
  const fields = { ...differing(edited, all), ...(known?.sent && pick(edited, known.fields)) };
  if (Object.keys(fields).length === 0) return without(changes, mask.id);
  return replace(changes, {
    id: mask.id,
    name: maskName(mask),
    fields,
    base: pick(all, fields),
    ...(known?.sent && { sent: known.sent }),
    ...(known?.theirs && { theirs: known.theirs }),
  });
};

/** Forgets the fields of a refused change that an edit sets anew. */
export const withoutRefused = (changes: Changes, id: MaskId, body: MaskEdit): Changes => {
  const known = changes.find((one) => one.id === id);
  if (known?.refusal === undefined) return changes;
  const edited = fieldsOf(body);
  const fields = Object.fromEntries(Object.entries(known.fields).filter(([name]) => !(name in edited)));
  if (Object.keys(fields).length === 0) return without(changes, id);
  return replace(changes, { ...known, fields, base: pick(known.base, fields) });
};

/** Returns the next change to send; a refused one waits for the user. */
export const nextChange = (changes: Changes): WaitingChange | undefined =>
  changes.find(({ refusal }) => refusal === undefined);

/** A change with the request that carries it. */
type SentChange = WaitingChange & { readonly requestId: string };

/**
 * Returns a change as it is sent to a server that has `mask`. What another device has set meanwhile is kept with it, and gets
 * `newId`: under the id of an earlier request, the answer to that one could come back, and nothing be saved.
 */
export const toSentChange = (change: WaitingChange, mask: Mask, newId: string): SentChange => {
  const { fields, base, sent, theirs, requestId } = change;
  const now = valuesOf(mask, fields);
  const found = [base, sent ?? {}, fields].reduce(differing, now);
  const isNew = Object.keys(found).length > 0;
  return {
    ...change,
    base: now,
    sent: fields,
    requestId: isNew || requestId === undefined ? newId : requestId,
    ...((theirs || isNew) && { theirs: { ...theirs, ...found } }),
  };
};

export const markChangeSent = (changes: Changes, sent: SentChange): Changes =>
  changes.map((one) => (one.id === sent.id ? sent : one));

/** Removes what the server has saved by a request; what was edited meanwhile stays. */
export const markChangeSaved = (changes: Changes, requestId: string, mask: Mask): Changes => {
  const known = changes.find(({ id }) => id === mask.id);
  if (known === undefined) return changes;
  if (known.requestId === requestId) return without(changes, mask.id);
  const { sent: _, requestId: __, theirs: ___, ...rest } = known;
  const base = valuesOf(mask, rest.fields);
  const fields = differing(rest.fields, base);
  if (Object.keys(fields).length === 0) return without(changes, mask.id);
  return replace(changes, { ...rest, fields, base: pick(base, fields) });
};

/** Marks a change that the server has not saved: it is sent again, or waits for the user with the reason. */
export const markChangeRefused = (changes: Changes, id: MaskId, refusal?: string): Changes =>
  changes.map((one) => {
    if (one.id !== id) return one;
    const { requestId: _, sent: __, refusal: ___, ...rest } = one;
    return { ...rest, ...(refusal !== undefined && { refusal }) };
  });

export const removeChange = without;

/** Returns what a change has replaced of another device when it is saved; null for nothing. */
export const replacedBy = ({ id, name, fields, theirs = {} }: WaitingChange): ReplacedEdit | null => {
  const replaced = differing(pick(theirs, fields), fields);
  return Object.keys(replaced).length === 0 ? null : { id, name, theirs: replaced };
};

/** Returns a mask with a change that waits, as the list shows it. */
const withChange = (mask: Mask, { fields }: WaitingChange): Mask => {
  const { settings, senders, ...edit } = toEdit(fields);
  const { forwardTo, destinations } = { destinations: mask.destinations, ...edit };
  return {
    ...mask,
    ...(edit as Partial<Mask>),
    ...(destinations && forwardTo && { destinations: withFirst(destinations, forwardTo) }),
    ...(settings && { settings: { ...mask.settings, ...settings } }),
    ...(senders && { senders: { ...everybody, ...mask.senders, ...senders } }),
  };
};

/** Creates the function that shows masks with the changes that wait; it returns the same masks for the same ones. */
export const createShowChanges = (): ((masks: readonly Mask[], changes: Changes) => readonly Mask[]) => {
  const shown = new WeakMap<Mask, { readonly change: WaitingChange; readonly mask: Mask }>();
  const show = (mask: Mask, change: WaitingChange): Mask => {
    const known = shown.get(mask);
    if (known?.change === change) return known.mask;
    const changed = withChange(mask, change);
    shown.set(mask, { change, mask: changed });
    return changed;
  };
  return (masks, changes) => {
    const waiting = new Map(
      changes.filter(({ refusal }) => refusal === undefined).map((change) => [change.id, change]),
    );
    if (waiting.size === 0) return masks;
    return masks.map((mask) => {
      const change = waiting.get(mask.id);
      return change === undefined ? mask : show(mask, change);
    });
  };
};

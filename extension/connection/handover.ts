import * as t from "io-ts";
import { minuteMs } from "../../core/kernel/durations.ts";
import type { Ports } from "../../core/ports/ports.ts";
import { randomHex } from "../../core/ports/random.ts";
import { createStore, json, type StoredItem } from "../../core/storage/store.ts";
import type { StoredKey } from "../../core/storage/storedKeys.ts";

/** The handover that the user has begun: the page of this origin may give one token, with this code, until then. */
const Handover = t.type({ origin: t.string, code: t.string, until: t.number });
export type Handover = t.TypeOf<typeof Handover>;

const handoverKey: StoredKey = { name: "handover", place: "local" };

/** The time in which the page has to give a token. */
const handoverMs = 5 * minuteMs;

type HandoverPorts = Pick<Ports, "storage" | "random" | "clock">;

const stored = ({ storage }: Pick<Ports, "storage">): StoredItem<Handover> =>
  createStore(storage).get(handoverKey, json(Handover));

/** Begins a handover with a page of this origin; an earlier one ends. */
export const beginHandover = (ports: HandoverPorts, origin: string): Handover => {
  const handover = { origin, code: randomHex(ports.random, 16), until: ports.clock.now() + handoverMs };
  stored(ports).write(handover);
  return handover;
};

/** Ends the handover with this origin and code, and returns whether it was under way: a code works once. */
export const endHandover = (
  ports: Pick<Ports, "storage" | "clock">,
  { origin, code }: Pick<Handover, "origin" | "code">,
): boolean => {
  const known = stored(ports).read();
  if (known === null || known.origin !== origin || known.code !== code) return false;
  stored(ports).remove();
  return ports.clock.now() < known.until;
};

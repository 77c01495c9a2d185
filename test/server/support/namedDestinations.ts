import type { Rule } from "../../../core/rules/model/rule.ts";
import type { Client } from "./client.ts";

/** A rule that also forwards mail to an address. */
export const ruleTo = (to: string, name = "Copy"): Rule => ({
  id: "copy",
  name,
  type: "content_filter",
  enabled: true,
  conditions: [{ field: "subject", operator: "contains", value: ["sale"] }],
  actions: [{ type: "forward", params: { email: to, immediate: true, daily: false } }],
  updatedAt: "2026-11-20T10:00:00.000Z",
});

/** A request that says where mail goes: to an address, for a mask. */
interface NamedDestination {
  readonly what: string;
  /** The method and path as the endpoint has them. */
  readonly endpoint: string;
  readonly send: (
    call: Client["call"],
    to: string,
    mask: { readonly id: string; readonly confirmed: string },
  ) => ReturnType<Client["call"]>;
}

const inMask =
  (
    path: string,
    method: string,
    bodyOf: (to: string, confirmed: string) => object,
  ): NamedDestination["send"] =>
  (call, to, { id, confirmed }) =>
    call(method, path.replace(":id", id), {
      body: { ...(method === "POST" && { description: "New" }), ...bodyOf(to, confirmed) },
    });

const fields: Readonly<Record<string, (to: string, confirmed: string) => object>> = {
  "first address": (forwardTo) => ({ forwardTo }),
  "further address": (to, confirmed) => ({ destinations: [confirmed, to] }),
  rule: (to) => ({ settings: { rules: [ruleTo(to)] } }),
};

/** Each way in which a mask or a rule names an address. */
export const namedDestinations: readonly NamedDestination[] = [
  ...Object.entries(fields).flatMap(([name, bodyOf]) => [
    { what: `a new mask's ${name}`, endpoint: "POST /masks", send: inMask("/masks", "POST", bodyOf) },
    { what: `a mask's ${name}`, endpoint: "PUT /masks/:id", send: inMask("/masks/:id", "PUT", bodyOf) },
  ]),
  {
    what: "moved masks",
    endpoint: "POST /masks/bulk",
    send: (call, to, { id }) =>
      call("POST", "/masks/bulk", { body: { ids: [id], change: { kind: "move", forwardTo: to } } }),
  },
  {
    what: "several masks' rule",
    endpoint: "POST /masks/bulk",
    send: (call, to, { id }) =>
      call("POST", "/masks/bulk", { body: { ids: [id], change: { kind: "addRules", rules: [ruleTo(to)] } } }),
  },
  ...["before", "after"].map((place) => ({
    what: `a rule ${place} those of all masks`,
    endpoint: "PUT /rules/:place",
    send: (call: Client["call"], to: string) =>
      call("PUT", `/rules/${place}`, { body: { rules: [ruleTo(to)] } }),
  })),
];

/** Adds an address to those of the account. */
export const addedDestination: NamedDestination = {
  what: "the list of addresses",
  endpoint: "POST /destinations",
  send: (call, to) => call("POST", "/destinations", { body: { email: to } }),
};

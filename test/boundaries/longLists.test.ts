import { expect } from "chai";
import * as t from "io-ts";
import type { Codec } from "../../core/api/endpoint.ts";

interface Declared {
  readonly name: string;
  readonly value: {
    readonly method: string;
    readonly tokens: string;
    readonly params: Codec<unknown>;
    readonly answer: Codec<unknown>;
    readonly isStream?: true;
  };
}

const { readDeclarations, fieldsOf, isAbsent } = (await import(
  new URL("../../scripts/api/declarations.mjs", import.meta.url).href
)) as {
  readonly readDeclarations: () => Promise<{ readonly endpoints: readonly Declared[] }>;
  readonly fieldsOf: (codec: unknown) => readonly (readonly [string, Codec<unknown>, boolean])[] | null;
  readonly isAbsent: (codec: unknown) => boolean;
};

/** Lists that programs read as a whole, because they have at most so many entries. */
const bounded: Readonly<Record<string, number>> = {
  "getOwnApiToken scopes": 9,
  "listCodes codes": 20,
  "listMaskCodes codes": 5,
  "getCategories categories": 20,
  "getInsights topCategories": 20,
  "getInsights recentEmails": 10,
  "getInsights suggestions": 50,
  "getInsights byDay": 31,
  "getInsights senders": 20,
  "getInsights rules": 20,
  "getInsights blockReasons": 20,
  "getInsights securityEvents": 10,
  "getMask labels": 20,
  "getMask settings.rules": 100,
  "getMask destinations": 10,
  "getMask awaitingDestinations": 10,
  "getMask statistics.blockHistory": 100,
  "getMaskStatistics blockHistory": 100,
  "getAccountRules before.rules": 50,
  "getAccountRules after.rules": 50,
};

/** Lists that are longer and read as a whole, each with why. */
const values: Readonly<Record<string, string>> = {
  "listDomains domains": "10 of one's own, and the sub-domains that the operator allows: 1, or up to 100",
  "getInsights masks": "one line of sums for each mask, which are those that GET /masks answers in parts",
  "getMask senders.allow": "the list of 500 addresses and domains that a mask accepts",
  "getMask senders.block": "the list of 500 addresses and domains that a mask refuses",
  "listMaskSenders allow": "the list of 500 addresses and domains that a mask accepts",
  "listMaskSenders block": "the list of 500 addresses and domains that a mask refuses",
};

/** The parameters with which a call answers a part of its list. */
const cursors = new Set(["after", "before"]);

const listsIn = (codec: unknown, path: readonly string[] = []): readonly string[] => {
  if (codec instanceof t.ArrayType || codec instanceof t.ReadonlyArrayType) return [path.join(".")];
  const fields = fieldsOf(codec);
  if (fields !== null) return fields.flatMap(([name, one]) => listsIn(one, [...path, name]));
  if (typeof codec === "object" && codec !== null && "declared" in codec)
    return listsIn(codec.declared, path);
  return codec instanceof t.UnionType ? codec.types.flatMap((one: unknown) => [...listsIn(one, path)]) : [];
};

describe("A list of more than 100 entries", () => {
  it("is read in parts, by the last entry of the part before, wherever programs can read it", async () => {
    const { endpoints } = await readDeclarations();
    const reads = endpoints.filter(
      ({ value }) => value.method === "GET" && value.tokens !== "none" && value.isStream !== true,
    );
    const whole = reads
      .filter(({ value }) => {
        const params = isAbsent(value.params) ? [] : (fieldsOf(value.params) ?? []);
        return !params.some(([name]) => cursors.has(name));
      })
      .flatMap(({ name, value }) => [...new Set(listsIn(value.answer))].map((list) => `${name} ${list}`));
    expect(whole.toSorted()).to.deep.equal([...Object.keys(bounded), ...Object.keys(values)].toSorted());
    expect(Object.values(bounded).filter((most) => most > 100)).to.deep.equal([]);
  });
});

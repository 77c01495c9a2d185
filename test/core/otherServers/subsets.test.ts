import { expect } from "chai";
import fc from "fast-check";
import { type Either, isRight } from "fp-ts/lib/Either.js";
import { leftOutOfAnswer } from "../../../core/api/leftOut.ts";
import { getContentAccess, getPreferences } from "../../../core/contentAccess/contentAccessEndpoints.ts";
import { getInsights } from "../../../core/insights/insightsEndpoints.ts";
import { getMask, getMaskStatistics, listMasks } from "../../../core/masks/maskEndpoints.ts";
import { ServerMessage } from "../../../core/realtime/messages.ts";
import { readRules } from "../../../core/rules/model/ruleList.ts";
import { verifyCode } from "../../../core/session/sessionEndpoints.ts";
import { getAccount } from "../../../core/session/user.ts";
import { most } from "./serverOfTheTexts.ts";

type Path = readonly string[];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Every field of an answer, by its path; entries of lists are fields of the list. */
const fieldsOf = (value: unknown): readonly Path[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, inner]) => [
        ...(Array.isArray(value) ? [] : [[name]]),
        ...fieldsOf(inner).map((path) => [name, ...path]),
      ])
    : [];

const without = (value: unknown, path: Path): unknown => {
  const [name = "", ...rest] = path;
  if (!isObject(value) || !(name in value)) return value;
  if (Array.isArray(value)) return value.map((one, at) => (String(at) === name ? without(one, rest) : one));
  const { [name]: inner, ...others } = value;
  return rest.length === 0 ? others : { ...others, [name]: without(inner, rest) };
};

/** The path without the places in lists, as "masks.id". */
const nameOf = (path: Path): string => path.filter((part) => !/^\d+$/.test(part)).join(".");

const ofRule = ["name", "type", "conditions", "actions"];
const insideOfRule = ["field", "operator", "value"].map((name) => `conditions.${name}`);
const needed = {
  mask: ["id", "maskEmail"],
  rule: [...ofRule, ...insideOfRule, "actions.type", "actions.params", "actions.params.tag"],
};
const within = (place: string, names: readonly string[]): readonly string[] =>
  names.map((name) => `${place}.${name}`);

interface Readable {
  readonly decode: (received: unknown) => Either<unknown, unknown>;
}

/** The answers with what their entries cannot be without. */
const answers: readonly (readonly [string, Readable, unknown, readonly string[]])[] = [
  ["the account", getAccount.answer, most["GET /account"], []],
  ["a sign-in", verifyCode.answer, most["PUT /login"], []],
  ["the list of masks", listMasks.answer, most["GET /masks"], ["masks", ...within("masks", needed.mask)]],
  ["a mask", getMask.answer, most["GET /masks/:id"], needed.mask],
  ["statistics", getMaskStatistics.answer, most["GET /masks/:id/stats"], []],
  [
    "insights",
    getInsights.answer,
    most["GET /ai/insights"],
    ["topCategories.category", "topCategories.count", "suggestions.actionKey"],
  ],
  ["content access", getContentAccess.answer, most["GET /ai/content-access"], []],
  ["AI preferences", getPreferences.answer, most["GET /ai/preferences"], []],
  [
    "a notification",
    ServerMessage,
    {
      type: "notification",
      data: { id: 5, message: "Hello", type: "info", priority: "high", timestamp: 1, read: false },
    },
    ["type", "data", "data.id", "data.message"],
  ],
  [
    "a changed resource",
    ServerMessage,
    { type: "data_update", data: { resource: "masks", resourceId: 7, action: "updated" } },
    ["type", "data", "data.resource"],
  ],
];

describe("An answer that leaves any optional fields out", () => {
  for (const [name, codec, full, required] of answers)
    it(`is read whole: ${name}`, () => {
      const optional = fieldsOf(full).filter((path) => !required.includes(nameOf(path)));
      fc.assert(
        fc.property(fc.subarray([...optional]), (paths) => {
          const decoded = codec.decode(paths.reduce(without, full));
          expect(isRight(decoded), JSON.stringify(decoded)).to.equal(true);
          if (isRight(decoded)) expect(leftOutOfAnswer(decoded.right)).to.deep.equal([]);
        }),
      );
    });

  it("has readable rules (RU3)", () => {
    const { settings } = most["GET /masks/:id"] as { settings: { rules: readonly unknown[] } };
    const optional = fieldsOf(settings.rules).filter((path) => !needed.rule.includes(nameOf(path)));
    fc.assert(
      fc.property(fc.subarray([...optional]), (paths) => {
        const rules = paths.reduce<unknown>(without, settings.rules) as readonly unknown[];
        expect(readRules(rules).unreadable).to.equal(0);
      }),
    );
  });
});

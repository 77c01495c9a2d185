import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import * as t from "io-ts";
import { RuleList } from "../../../../core/rules/model/ruleList.ts";
import { describeFieldErrors } from "../../../../server/platform/errors/fieldErrors.ts";

const root = join(import.meta.dirname, "../../../..");

const isCodec = (value: unknown): value is t.Any => value instanceof t.Type;

/** The codecs that a codec is made of, itself included. */
const partsOf = (codec: t.Any, seen = new Set<t.Any>()): ReadonlySet<t.Any> => {
  if (seen.has(codec)) return seen;
  seen.add(codec);
  const { props, types, type, domain, codomain }: Readonly<Record<string, unknown>> = { ...codec };
  const parts = [props, types].flatMap((group) => Object.values(group ?? {}));
  for (const part of [...parts, type, domain, codomain].filter(isCodec)) partsOf(part, seen);
  return seen;
};

/** The codecs of what clients send: bodies and parameters of all endpoints, and the rules. */
const sentCodecs = async (): Promise<readonly t.Any[]> => {
  const files = globSync(["core/**/*ndpoints.ts", "server/features/*/contract/*ndpoints.ts"], {
    cwd: root,
    exclude: ["core/dist/**", "**/node_modules/**"],
  });
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(join(root, file)).href)));
  const endpoints = modules.flatMap((module) => Object.values<{ body?: unknown; params?: unknown }>(module));
  return [...endpoints.flatMap((one) => [one?.body, one?.params]), RuleList].filter(isCodec);
};

const messageFor = (type: t.Any): string =>
  describeFieldErrors([
    {
      value: null,
      context: [
        { key: "", type },
        { key: "value", type },
      ],
    },
  ])[0]?.message ?? "";

describe("A refusal of a field", () => {
  it("says in words what is accepted, for every part of every body", async () => {
    const parts = new Set((await sentCodecs()).flatMap((codec) => [...partsOf(codec)]));
    expect(parts.size).to.be.above(150);
    const inCode = [...parts]
      .map(messageFor)
      .filter((message) => /[<>{}|&[\]]|=>|Readonly|Partial/.test(message));
    expect(inCode).to.deep.equal([]);
  });

  it("names values to choose from, and lists of a length", () => {
    expect(messageFor(t.keyof({ full: null, mask: null }))).to.equal('value must be "full" or "mask".');
    expect(messageFor(t.readonly(t.tuple([t.number, t.number])))).to.equal(
      "value must be a list of 2 values.",
    );
    expect(messageFor(t.union([t.string, t.null]))).to.equal("value must be text or null.");
  });

  it("of a condition between two values says what to enter", () => {
    const rule = (operator: string, field: string, value: unknown) => ({
      id: "r",
      name: "Between",
      type: "content_filter",
      conditions: [{ field, operator, value }],
      actions: [{ type: "block", params: {} }],
    });
    const messagesFor = (field: string, value: unknown): readonly string[] => {
      const decoded = RuleList.decode([rule("between", field, value)]);
      return decoded._tag === "Left" ? describeFieldErrors(decoded.left).map(({ message }) => message) : [];
    };
    for (const value of [5, [1], "1, 2", [1, 2, 3]])
      expect(messagesFor("size", value)).to.deep.equal(["Enter two numbers, such as 5 and 30"]);
    expect(messagesFor("size", [9, 3])).to.deep.equal(["Enter the smaller value first"]);
    expect(messagesFor("date", "2026-12-24")).to.deep.equal([
      "Enter two dates, such as 2026-12-01 and 2026-12-24",
    ]);
  });
});

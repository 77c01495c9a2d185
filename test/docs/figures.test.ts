import { globSync, readFileSync } from "node:fs";
import { expect } from "chai";
import * as refusals from "../../server/relay/decision/refusals.ts";
import * as replies from "../../server/smtp/smtpReplies.ts";
import { told } from "./figures/constants.ts";
import { apiDescription, type PageFigures, pages } from "./figures/pages.ts";
import { looseNumbers, proseOf, withoutSections } from "./figures/prose.ts";

const root = new URL("../../", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, root), "utf8");

const names = globSync(["*.md", "core/*.md", "cli/*.md", "docs/**/*.md"], { cwd: root }).sort();

/** Compares the numbers of a text with those that its figures name. */
const expectKnown = (
  name: string,
  text: string,
  { facts = [], free = [], isRecord = false }: PageFigures,
): void => {
  const phrases = facts.map(told);
  expect(
    phrases.filter((phrase) => !text.includes(phrase)),
    `${name} does not say this: has a constant changed, or the sentence? test/docs/figures/pages.ts has the phrases`,
  ).to.deep.equal([]);
  expect(
    isRecord ? [] : looseNumbers(text, phrases, free),
    `${name} has numbers of which nobody knows where they come from: name the constant of each in a phrase under "facts" in test/docs/figures/pages.ts, or say under "free" that it depends on nothing`,
  ).to.deep.equal([]);
};

/** Returns every sentence that describes something in a document of OpenAPI. */
const descriptionsIn = (value: unknown): readonly string[] =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, child]) =>
        (key === "description" || key === "summary") && typeof child === "string"
          ? [child]
          : descriptionsIn(child),
      );

describe("The numbers of the documentation", () => {
  for (const name of names)
    it(`are those of the code, or depend on nothing: ${name}`, () => {
      const figures = pages[name] ?? {};
      expectKnown(name, proseOf(withoutSections(read(name), figures.elsewhere ?? [])), figures);
    });

  it("are those of the code, or depend on nothing: the description of the API", async () => {
    const { openApiText } = (await import(new URL("scripts/api/openApi.mjs", root).href)) as {
      openApiText: () => Promise<string>;
    };
    const sentences = new Set(descriptionsIn(JSON.parse(await openApiText())));
    expectKnown("The description of the API", proseOf([...sentences].join("\n\n")), apiDescription);
  });

  it("are looked for on pages that are there", () => {
    expect(Object.keys(pages).filter((name) => !names.includes(name))).to.deep.equal([]);
  });
});

const isReply = (exported: unknown): exported is replies.SmtpReply =>
  typeof exported === "object" && exported !== null && "status" in exported;

/** Every reply that refuses, as "550 5.1.1", and the replies of the SMTP library. */
const refusalCodes: readonly string[] = [
  ...[...Object.values(replies), ...Object.values(refusals)]
    .filter(isReply)
    .map(({ code, status }) => (code === 421 ? "421" : `${code} ${status}`)),
];

describe("The documentation of forwarding", () => {
  const forwarding = read("docs/forwarding.md").replace(/\s+/g, " ");
  const answers = Array.from(
    forwarding.matchAll(/\| ((?:\d{3}(?: \d\.\d\.\d)?(?:, )?)+) \|/g),
    ([, codes = ""]) => codes.split(", "),
  ).flat();

  it("lists every reply that refuses mail", () => {
    for (const code of refusalCodes) expect(forwarding).to.contain(code);
  });

  it("lists no reply that the relay does not send", () => {
    expect(answers).to.include("550 5.1.1");
    for (const code of answers.filter((one) => !one.startsWith("250")))
      expect(refusalCodes, code).to.include(code);
  });
});

describe("The README", () => {
  it("counts the steps of the instructions for a server on the internet", () => {
    const [, section = ""] = read("docs/self-hosting.md").split(/^## .*$/m);
    const steps = section.match(/^\d+\. /gm) ?? [];
    expect(steps.length).to.be.above(3);
    expect(read("README.md")).to.contain(`to the first real mail in ${steps.length} steps`);
  });
});

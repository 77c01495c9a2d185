import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import type { TriedMail } from "../../../../../web/features/rules/testPanel/tryMail.ts";
import { comparable, ruleCases } from "../../../../core/rules/engine/ruleCases.ts";
import { useBrowser } from "../../../../support/browser.ts";

const places = {
  mask: "shop@masks.example",
  owner: "ada@home.example",
  second: "ada@work.example",
  maskDomain: "masks.example",
};

const root = fileURLToPath(new URL("../../../../..", import.meta.url));

/** Bundles the code of the test panel as the build does. */
const panelCode = async (): Promise<string> => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { tryMail } from "./web/features/rules/testPanel/tryMail.ts";
        export { prepareRules } from "./core/rules/engine/evaluate.ts";
        export { loadRe2Patterns } from "./adapters/re2/re2Patterns.ts";`,
      resolveDir: root,
    },
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    globalName: "panel",
    alias: { "fp-ts/lib": "fp-ts/es6", "io-ts/lib": "io-ts/es6" },
    conditions: ["es2015", "module", "browser"],
  });
  return outputFiles[0]?.text ?? "";
};

describe("A mail tested in the test panel, in a real browser", () => {
  const browser = useBrowser();
  let page: Page;
  before(async () => {
    page = await browser().newPage();
    await page.addScriptTag({ content: await panelCode() });
  });

  const tried = (one: ReturnType<typeof ruleCases>[number]): Promise<TriedMail> =>
    page.evaluate(
      async ({ mail, rules, category, now, facts, where }) => {
        const { tryMail, prepareRules, loadRe2Patterns } = (
          globalThis as unknown as {
            panel: typeof import("../../../../../web/features/rules/testPanel/tryMail.ts") &
              typeof import("../../../../../core/rules/engine/evaluate.ts") &
              typeof import("../../../../../adapters/re2/re2Patterns.ts");
          }
        ).panel;
        const lastMailAt = facts?.lastMailAt ? Date.parse(facts.lastMailAt) : null;
        return tryMail(prepareRules(rules, await loadRe2Patterns()), new TextEncoder().encode(mail), () => ({
          category,
          size: new TextEncoder().encode(mail).length,
          proof: null,
          now: now === null ? Date.UTC(2026, 10, 20, 9) : Date.parse(now),
          mask: {
            maskEmail: where.mask,
            labels: [],
            forwardTo: where.owner,
            lastMailAt,
            receivedThisMonth: facts?.receivedThisMonth ?? 0,
            received: facts?.received ?? 0,
            forwarded: facts?.forwarded ?? 0,
          },
          account: { confirmed: [where.owner, where.second], ownDomains: [where.maskDomain] },
        }));
      },
      { ...one, where: places },
    );

  it("gets the same decision as in the relay, in every case of the table", async () => {
    const cases = ruleCases(places);
    expect(cases.length).to.be.greaterThan(150);
    for (const one of cases)
      expect(comparable((await tried(one)).decision), one.name).to.deep.equal(one.expected);
  });

  it("is explained rule by rule, with the value that each condition examined", async () => {
    const [one] = ruleCases(places).filter(({ expected }) => expected.tags.length > 0);
    if (!one) throw new Error("no case has a tag");
    const { explanation } = await tried(one);
    expect(explanation.map(({ ruleId }) => ruleId)).to.deep.equal(one.rules.map(({ id }) => id));
    expect(explanation.some(({ conditions }) => conditions.some(({ actual }) => actual !== null))).to.equal(
      true,
    );
  });
});

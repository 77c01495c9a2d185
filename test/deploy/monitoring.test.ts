import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { parse } from "yaml";
import { useTemporaryFolder } from "../server/support/temporaryFolder.ts";
import { skipWithout } from "../support/missing.ts";

const root = join(import.meta.dirname, "../..");
const grafana = join(root, "deploy/grafana");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const page = read("docs/monitoring.md");
const alertRules = read("deploy/grafana/alerts.yml");
const dashboard = read("deploy/grafana/dashboard.json");

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

interface RuleTests {
  readonly tests: readonly {
    readonly alert_rule_test: readonly {
      readonly alertname: string;
      readonly exp_alerts: readonly object[];
    }[];
  }[];
}

/** The names of the metrics that the server declares. */
const declared = new Set(
  globSync("server/**/*.ts", { cwd: root, exclude: ["**/node_modules/**"] }).flatMap((file) =>
    Array.from(read(file).matchAll(/(?:name: |gauge\(\s*)"(bauta_[a-z_]+)"/g), ([, name = ""]) => name),
  ),
);

/** The metrics of a text, without what a histogram adds to its name. */
const metricsIn = (text: string): readonly string[] => [
  ...new Set(
    Array.from(text.matchAll(/bauta_[a-z_]+/g), ([name]) => name.replace(/_(?:bucket|count|sum)$/, "")),
  ),
];

const { groups } = parse(alertRules) as Rules;
const alerts = groups.flatMap(({ rules }) => rules);

const promtool = (...words: readonly string[]) =>
  spawnSync("promtool", words, { cwd: grafana, encoding: "utf8" });

describe("Monitoring", () => {
  const folder = useTemporaryFolder();

  it("has a row on its page for each metric, and names no other", () => {
    const rows = [...page.matchAll(/^\| (`bauta_[^|]+) \|/gm)].flatMap(([, cell = ""]) => metricsIn(cell));
    expect(rows.toSorted()).to.deep.equal([...declared].toSorted());
    expect(metricsIn(page).filter((name) => !declared.has(name))).to.deep.equal([]);
    expect(declared.size).to.be.above(20);
  });

  it("names each reason of a refusal", () => {
    const reasons = Array.from(
      read("server/app/mailMetrics/refusalReasons.ts").matchAll(/^ {2}(\w+): \[/gm),
      ([, name = ""]) => name,
    );
    expect(reasons.length).to.be.above(15);
    expect(reasons.filter((name) => !page.includes(`\`${name}\``))).to.deep.equal([]);
  });

  it("has alerts and a dashboard over metrics that exist, and a row on its page for each alert", () => {
    for (const text of [alertRules, dashboard])
      expect(metricsIn(text).filter((name) => !declared.has(name))).to.deep.equal([]);
    const explained = [...page.matchAll(/^\| (`Bauta[^|]+) \|/gm)].flatMap(([, cell = ""]) =>
      Array.from(cell.matchAll(/Bauta\w+/g), ([name]) => name),
    );
    expect(explained.toSorted()).to.deep.equal(alerts.map(({ alert }) => alert).toSorted());
  });

  it("shows each metric of its own on the dashboard", () => {
    const shown = metricsIn(dashboard);
    expect([...declared].filter((name) => !shown.includes(name))).to.deep.equal([]);
  });

  it("tries each alert", () => {
    const { tests } = parse(read("deploy/grafana/alerts.test.yml")) as RuleTests;
    const fired = tests.flatMap(({ alert_rule_test }) =>
      alert_rule_test.flatMap(({ alertname, exp_alerts }) => (exp_alerts.length > 0 ? [alertname] : [])),
    );
    expect([...new Set(fired)].toSorted()).to.deep.equal(alerts.map(({ alert }) => alert).toSorted());
  });

  it("has rules that Prometheus accepts, and that alert as they should", function () {
    if (promtool("--version").error) skipWithout(this, "promtool");
    for (const words of [
      ["check", "rules", "alerts.yml"],
      ["test", "rules", "alerts.test.yml"],
    ]) {
      const { status, stdout, stderr } = promtool(...words);
      expect(status, stdout + stderr).to.equal(0);
    }
  });

  it("has queries on the dashboard that Prometheus can read", function () {
    if (promtool("--version").error) skipWithout(this, "promtool");
    const { panels } = JSON.parse(dashboard) as {
      readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
    };
    const rules = panels
      .flatMap(({ targets = [] }) => targets)
      .map(({ expr }, n) => ({ record: `panel:${n}`, expr: expr.replaceAll("$__rate_interval", "5m") }));
    const file = join(folder(), "panels.json");
    writeFileSync(file, JSON.stringify({ groups: [{ name: "panels", rules }] }));
    const { status, stdout, stderr } = promtool("check", "rules", file);
    expect(status, stdout + stderr).to.equal(0);
    expect(rules.length).to.be.above(30);
  });
});

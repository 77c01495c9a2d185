import { expect } from "chai";
import { systemClock } from "../../../adapters/system/clockAndRandom.ts";
import { createDnsCache, createMailLookup } from "../../../server/platform/dns/dnsCache.ts";
import { createDnsClient } from "../../../server/platform/dns/dnsClient.ts";
import { judgeSender } from "../../../server/proof/judgeSender.ts";
import { onInputs } from "../../support/corpora.ts";
import { startDnsStub, type Zone } from "../support/dnsStub.ts";

interface SpfTest {
  readonly helo: string;
  readonly host: string;
  readonly mailfrom: string;
  readonly result: string | readonly string[];
}

type Row = "TIMEOUT" | Readonly<Record<string, string | readonly string[] | readonly [number, string]>>;

interface Scenario {
  readonly description: string;
  readonly tests: Readonly<Record<string, SpfTest>>;
  readonly zonedata: Readonly<Record<string, readonly Row[]>>;
}

const textOf = (type: string, value: Exclude<Row, "TIMEOUT">[string]): string => {
  if (typeof value === "string") return value;
  return type === "MX" ? value.join(" ") : value.join("");
};

/** Where a name has no TXT record, its obsolete SPF record counts as one; a timeout fails immediately. */
const recordsOf = (rows: readonly Row[]): Record<string, readonly string[] | "SERVFAIL"> => {
  const found: Record<string, string[]> = {};
  for (const row of rows) {
    if (row === "TIMEOUT") continue;
    for (const [type, value] of Object.entries(row)) {
      found[type] = [...(found[type] ?? []), ...(value === "NONE" ? [] : [textOf(type, value)])];
    }
  }
  const { SPF = [], ...others } = found;
  const records: Record<string, readonly string[] | "SERVFAIL"> = { TXT: SPF, ...others };
  if (rows.includes("TIMEOUT"))
    for (const type of ["A", "AAAA", "MX", "PTR", "TXT"])
      if (!(records[type]?.length ?? 0)) records[type] = "SERVFAIL";
  return records;
};

const zoneOf = ({ zonedata }: Scenario): Zone =>
  Object.fromEntries(Object.entries(zonedata).map(([name, rows]) => [name.toLowerCase(), recordsOf(rows)]));

const mail = Buffer.from("From: a@elsewhere.example\r\n\r\nHello\r\n");

describe("The SPF check of a sender (RFC 7208)", () => {
  onInputs(["spfScenarios"], ({ areSamples, json }) => {
    it("has the expected result in every case of the suite", async () => {
      const failed: string[] = [];
      let count = 0;
      for (const scenario of json<readonly Scenario[]>("spfScenarios").flat()) {
        const dns = await startDnsStub(zoneOf(scenario));
        const lookUp = createDnsCache(createDnsClient(dns.address), systemClock);
        const options = { host: "receiver.example.com", trustedSealers: [], judgesPrivate: true };
        for (const [name, { helo, host, mailfrom, result }] of Object.entries(scenario.tests)) {
          const envelope = { sender: mailfrom, helo, remoteAddress: host };
          const { authentication } = await judgeSender(mail, envelope, options, createMailLookup(lookUp));
          count += 1;
          if (![result].flat().includes(authentication.spf))
            failed.push(`${scenario.description}, ${name}: ${authentication.spf} instead of ${result}`);
        }
        await dns.close();
      }
      expect(failed).to.deep.equal([]);
      expect(count).to.equal(areSamples ? 25 : 203);
    });
  });
});

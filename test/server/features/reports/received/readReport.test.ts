import { gzipSync } from "node:zlib";
import { expect } from "chai";
import fc from "fast-check";
import { readReport } from "../../../../../server/features/reports/received/readReport.ts";
import type { ReportProblem } from "../../../../../server/features/reports/received/reportProblem.ts";
import { dmarcXml, mailWith, record, tlsJson, zipOf } from "./reports.ts";

const read = (content: string | Buffer, pack: (bytes: Buffer) => Buffer = gzipSync, type?: string) =>
  readReport(mailWith(pack(Buffer.from(content)), type));
const reportOf = (...args: Parameters<typeof read>) => {
  const result = read(...args);
  if ("problem" in result) throw new Error(result.problem);
  return result.report;
};
const problemOf = (...args: Parameters<typeof read>): ReportProblem | null => {
  const result = read(...args);
  return "problem" in result ? result.problem : null;
};
const plain = (bytes: Buffer): Buffer => bytes;

describe("A report of a receiver", () => {
  it("about DMARC is read from gzip, zip and plain XML, whatever its type says", () => {
    const expected = {
      kind: "dmarc",
      reporter: "receiver.example",
      reportId: "r1",
      domain: "masks.example",
      beginsAt: 1_795_046_400_000,
      endsAt: 1_795_132_800_000,
      rows: [
        {
          sourceIp: "203.0.113.9",
          disposition: "none",
          dkim: "pass",
          spf: "pass",
          reason: "",
          count: 2,
        },
      ],
    };
    expect(reportOf(dmarcXml())).to.deep.equal(expected);
    expect(reportOf(dmarcXml(), zipOf, "application/zip")).to.deep.equal(expected);
    expect(reportOf(dmarcXml(), zipOf, "application/octet-stream")).to.deep.equal(expected);
    expect(reportOf(dmarcXml(), plain, "text/xml")).to.deep.equal(expected);
    expect(reportOf(`\ufeff${dmarcXml({ before: "" })}`)).to.deep.equal(expected);
    for (const end of ["\0\0\r\n", "\r\n"]) {
      const trailing = (bytes: Buffer) => Buffer.concat([gzipSync(bytes), Buffer.from(end)]);
      expect(reportOf(dmarcXml(), trailing)).to.deep.equal(expected);
    }
  });

  it("is the only part of its mail where a receiver sends no text", () => {
    const mail = Buffer.concat([
      Buffer.from(
        "From: a@b.example\r\nContent-Type: application/gzip\r\nContent-Transfer-Encoding: base64\r\n\r\n",
      ),
      Buffer.from(gzipSync(dmarcXml()).toString("base64")),
    ]);
    expect(readReport(mail)).to.have.nested.property("report.domain", "masks.example");
  });

  it("about DMARC has the results of the newer format, with a namespace, and adds up equal rows", () => {
    const more = "<reason><type>forwarded</type><comment>me@b.example</comment></reason>";
    const records = [
      record({ disposition: "pass", spf: "fail" }),
      record({ disposition: "pass", spf: "fail", count: 5 }),
      record({ ip: "2001:DB8::1", disposition: "Reject", dkim: "fail", spf: "fail", count: "1", more }),
      record({ ip: "not an address", dkim: "PASS", spf: "softfail", count: "many" }),
    ].join("");
    const report = reportOf(
      dmarcXml({ records, namespace: ' xmlns="urn:ietf:params:xml:ns:dmarc-2.0"', org: "me@b.example" }),
    );
    expect(report.reporter).to.equal("[address]");
    expect(report.rows).to.deep.equal([
      { sourceIp: "203.0.113.9", disposition: "none", dkim: "pass", spf: "fail", reason: "", count: 7 },
      {
        sourceIp: "2001:db8::1",
        disposition: "reject",
        dkim: "fail",
        spf: "fail",
        reason: "forwarded",
        count: 1,
      },
      { sourceIp: "", disposition: "none", dkim: "pass", spf: "fail", reason: "", count: 0 },
    ]);
  });

  it("of thousands of addresses is stored with the largest ones, and the sum of the others", () => {
    const many = Array.from({ length: 2_000 }, (_, n) =>
      record({ ip: `10.0.${n >> 8}.${n & 255}`, count: n + 1 }),
    );
    const { rows } = reportOf(dmarcXml({ records: many.join("") }));
    expect(rows).to.have.lengthOf(501);
    const counts = (rows as readonly { readonly count: number }[]).map(({ count }) => count);
    expect(counts.reduce((sum, count) => sum + count, 0)).to.equal((2_000 * 2_001) / 2);
  });

  it("is read where its reporter has no name, behind a schema that is not closed, in UTF-16, and as a text", () => {
    const utf16 = (text: string, isBig = false): Buffer => {
      const bytes = Buffer.from(text, "utf16le");
      return isBig ? bytes.swap16() : bytes;
    };
    const schema = `<?xml version="1.0"?>\n<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="x">`;
    const noNames = { ...tlsJson(), "organization-name": "", "contact-info": "tls@Company-X.example" };
    const ways: readonly (readonly [string, Parameters<typeof read>])[] = [
      ["receiver.example", [dmarcXml({ org: "" })]],
      ["receiver.example", [dmarcXml().replace(/<org_name>.*<\/org_name>/, "")]],
      ["unknown", [dmarcXml({ org: "" }).replace(/<email>.*<\/email>/, "")]],
      ["company-x.example", [JSON.stringify(noNames)]],
      ["unknown", [JSON.stringify({ ...noNames, "organization-name": 7, "contact-info": null })]],
      ["receiver.example", [dmarcXml({ before: schema })]],
      ["receiver.example", [`${dmarcXml({ before: schema })}</xs:schema>`]],
      ["receiver.example", [utf16(`\ufeff${dmarcXml()}`)]],
      ["receiver.example", [utf16(`\ufeff${dmarcXml()}`, true), plain, "text/xml"]],
      ["receiver.example", [utf16(dmarcXml({ before: '<?xml version="1.0" encoding="UTF-16"?>' }))]],
      ["Company-X", [utf16(JSON.stringify(tlsJson()), true), plain, "application/tlsrpt+json"]],
      ["receiver.example", [dmarcXml(), gzipSync, "text/plain; charset=us-ascii"]],
      ["receiver.example", [dmarcXml(), zipOf, "text/html"]],
      ["receiver.example", [dmarcXml(), plain, "text/plain"]],
    ];
    for (const [n, [reporter, args]] of ways.entries())
      expect(reportOf(...args), String(n)).to.include({ reporter, domain: "masks.example" });
  });

  it("is not looked for in a text for people", () => {
    const text = `Content-Type: text/plain\r\n\r\n${dmarcXml()}`;
    expect(readReport(Buffer.from(text))).to.deep.equal({ problem: "no-report" });
  });

  it("about TLS is read as JSON, plain or packed, with what failed by its type", () => {
    const expected = {
      kind: "tls",
      reporter: "Company-X",
      reportId: "5065427c-23d3-47ca-b6e0-946ea0e8c4be",
      domain: "masks.example",
      beginsAt: Date.UTC(2026, 10, 20),
      endsAt: Date.UTC(2026, 10, 20, 23, 59, 59),
      rows: [
        { policyType: "sts", result: "success", server: "", count: 5_326 },
        { policyType: "sts", result: "starttls-not-supported", server: "", count: 200 },
        { policyType: "sts", result: "certificate-expired", server: "masks.example", count: 100 },
        { policyType: "sts", result: "validation-failure", server: "", count: 3 },
      ],
    };
    const json = JSON.stringify(tlsJson());
    expect(reportOf(json, gzipSync, "application/tlsrpt+gzip")).to.deep.equal(expected);
    expect(reportOf(json, plain, "application/tlsrpt+json")).to.deep.equal(expected);
  });

  it("that cannot be read is refused by a word", () => {
    const bomb = dmarcXml({ records: record().repeat(60_000) });
    const laughs = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>';
    const entity = '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
    const damaged = gzipSync(dmarcXml()).subarray(0, 100);
    const wrongSum = zipOf(Buffer.from(dmarcXml()));
    wrongSum[wrongSum.length - 22 - 56 + 16] = (wrongSum[wrongSum.length - 22 - 56 + 16] ?? 0) ^ 1;
    const cases: readonly (readonly [string, ReportProblem, Parameters<typeof read>])[] = [
      ["a bomb of gzip", "too-large", [Buffer.alloc(50_000_000, "<")]],
      ["a bomb of zip", "too-large", [Buffer.alloc(50_000_000, "<"), zipOf]],
      ["very many records", "too-large", [bomb]],
      [
        "records over the limit",
        "too-many",
        [dmarcXml({ records: "<record></record>".repeat(50_001) }), plain, "text/xml"],
      ],
      ["entities", "has-dtd", [dmarcXml({ before: laughs })]],
      ["a file of ours", "has-dtd", [dmarcXml({ before: entity, org: "&x;" })]],
      ["an unknown entity", "not-xml", [dmarcXml({ org: "&x;" })]],
      ["open elements", "not-xml", ["<feedback><record>"]],
      ["depth", "too-deep", ["<a>".repeat(100_000), plain, "text/xml"]],
      ["no domain", "incomplete", [dmarcXml({ domain: "" })]],
      ["other XML", "incomplete", ["<html></html>"]],
      ["JSON that is none", "not-json", ["{ no", plain, "application/json"]],
      ["deep JSON", "not-json", [`{"a":${"[".repeat(200_000)}`, plain, "application/json"]],
      ["JSON of something else", "incomplete", ["{}"]],
      ["a damaged file", "not-readable", ["", () => damaged]],
      ["a wrong checksum", "not-readable", ["", () => wrongSum]],
      ["two files", "several-files", [dmarcXml(), (bytes) => zipOf(bytes, bytes)]],
      ["a picture", "no-report", ["GIF89a", plain, "image/gif"]],
      ["noise", "no-report", ["\x01\x02\x03", plain]],
    ];
    for (const [name, problem, args] of cases) expect(problemOf(...args), name).to.equal(problem);
    expect(readReport(Buffer.from("Subject: none\r\n\r\nHello"))).to.deep.equal({ problem: "no-report" });
  });

  it("never throws, whatever bytes it is made of", () => {
    const good = mailWith(zipOf(Buffer.from(dmarcXml())), "application/zip");
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 20 }), (changes) => {
        const bytes = zipOf(Buffer.from(dmarcXml()));
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        readReport(mailWith(bytes, "application/zip"));
        const xml = Buffer.from(dmarcXml());
        for (const [at, value] of changes) xml[at % xml.length] = value;
        readReport(mailWith(xml, "text/xml"));
        const json = Buffer.from(JSON.stringify(tlsJson()));
        for (const [at, value] of changes) json[at % json.length] = value;
        readReport(mailWith(json, "application/tlsrpt+json"));
        const mail = Buffer.from(good);
        for (const [at, value] of changes) mail[at % mail.length] = value;
        readReport(mail);
      }),
    );
  });
});

import { crc32, deflateRawSync } from "node:zlib";

/** A record of an aggregate report, as receivers write it. */
export const record = ({
  ip = "203.0.113.9",
  count = 2 as number | string,
  disposition = "none",
  dkim = "pass",
  spf = "pass",
  more = "",
} = {}): string => `<record><row><source_ip>${ip}</source_ip><count>${count}</count>
  <policy_evaluated><disposition>${disposition}</disposition><dkim>${dkim}</dkim><spf>${spf}</spf>${more}</policy_evaluated></row>
  <identifiers><header_from>masks.example</header_from></identifiers>
  <auth_results><dkim><domain>masks.example</domain><result>${dkim}</result></dkim></auth_results></record>`;

/** An aggregate report of DMARC. */
export const dmarcXml = ({
  domain = "masks.example",
  id = "r1",
  org = "receiver.example",
  records = record(),
  before = '<?xml version="1.0" encoding="UTF-8" ?>',
  namespace = "",
} = {}): string => `${before}
<feedback${namespace}><version>1.0</version>
  <report_metadata><org_name>${org}</org_name><email>dmarc@receiver.example</email><report_id>${id}</report_id>
    <date_range><begin>1795046400</begin><end>1795132800</end></date_range></report_metadata>
  <policy_published><domain>${domain}</domain><adkim>r</adkim><aspf>r</aspf><p>reject</p></policy_published>
  ${records}
</feedback>`;

/** A report of TLS (RFC 8460, appendix B). */
export const tlsJson = (domain = "masks.example") => ({
  "organization-name": "Company-X",
  "date-range": { "start-datetime": "2026-11-20T00:00:00Z", "end-datetime": "2026-11-20T23:59:59Z" },
  "contact-info": "sts-reporting@company-x.example",
  "report-id": "5065427c-23d3-47ca-b6e0-946ea0e8c4be",
  policies: [
    {
      policy: { "policy-type": "sts", "policy-string": ["version: STSv1"], "policy-domain": domain },
      summary: { "total-successful-session-count": 5_326, "total-failure-session-count": 303 },
      "failure-details": [
        {
          "result-type": "certificate-expired",
          "receiving-mx-hostname": "masks.example",
          "failed-session-count": 100,
        },
        { "result-type": "starttls-not-supported", "failed-session-count": 200 },
      ],
    },
  ],
});

/** A zip file with these files, compressed. */
export const zipOf = (...contents: readonly Buffer[]): Buffer => {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const content of contents) {
    const name = Buffer.from("report.xml");
    const data = deflateRawSync(content);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(8, 8);
    header.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(crc32(content), 16);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    files.push(header, name, data);
    directory.push(entry, name);
    at += header.length + name.length + data.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(contents.length, 8);
  end.writeUInt16LE(contents.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...files, central, end]);
};

/** A mail with a text for people and an attachment. */
export const mailWith = (
  attachment: Buffer,
  type = "application/gzip",
  from = "dmarc@receiver.example",
): Buffer =>
  Buffer.from(
    [
      `From: ${from}`,
      "To: dmarc-reports@masks.example",
      "Subject: Report Domain: masks.example",
      "MIME-Version: 1.0",
      'Content-Type: multipart/mixed; boundary="b"',
      "",
      "--b",
      "Content-Type: text/plain",
      "",
      "This is an aggregate report.",
      "--b",
      `Content-Type: ${type}; name="report"`,
      "Content-Transfer-Encoding: base64",
      "Content-Disposition: attachment",
      "",
      attachment.toString("base64").replace(/.{76}/g, "$&\r\n"),
      "--b--",
      "",
    ].join("\r\n"),
  );

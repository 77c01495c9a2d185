import { readFileSync } from "node:fs";
import { expect } from "chai";
import * as refusals from "../../../../server/features/replies/replyRefusals.ts";
import { formatReply } from "../../../../server/smtp/smtpReplies.ts";
import { startServer } from "../../support/startServer.ts";

const withCodes = Object.values(refusals).flatMap((refusal) =>
  typeof refusal === "object" && "help" in refusal && refusal.help
    ? [{ ...refusal, help: refusal.help }]
    : [],
);
const codesIn = (text: string, pattern: RegExp): readonly string[] =>
  [...new Set(Array.from(text.matchAll(pattern), ([, code = ""]) => code))].toSorted();

describe("The codes of refused replies", () => {
  const page = readFileSync(new URL("../../../../docs/replies.md", import.meta.url), "utf8");
  const answered = codesIn(withCodes.map(({ answer }) => answer.text).join("\n"), /^(BAUTA-[RS]\d+)\b/gm);

  it("have a section each in the documentation", () => {
    expect(answered).to.have.length(17);
    expect(codesIn(page, /^### (BAUTA-[RS]\d+)$/gm)).to.deep.equal(answered);
  });

  it("have a section each in the page that notifications link to and answers name", async () => {
    const server = await startServer();
    const { text } = await server.client().call("GET", "/help/replies", { headers: { accept: "text/html" } });
    await server.stop();
    expect(codesIn(text, /<h2 id="(BAUTA-[RS]\d+)">/g)).to.deep.equal(answered);
  });

  it("are answered with the address of their section, within the line of 512 octets that SMTP allows", () => {
    const longest = `https://${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(61)}:65535`;
    for (const refusal of withCodes)
      for (const publicUrl of ["https://mail.example.org", longest]) {
        const line = formatReply(refusals.answerOf(refusal, publicUrl));
        expect(line).to.match(/^(?:550 5\.[17]\.1|535 5\.7\.8|454 4\.7\.0) BAUTA-[RS]\d+ /);
        expect(line.endsWith(`; see ${publicUrl}/help/replies#${refusal.help.code}\r\n`)).to.equal(true);
        expect(Buffer.byteLength(line)).to.be.at.most(512);
      }
    expect(refusals.answerOf(refusals.strangersReply, longest).text).not.to.include("help");
  });

  it("are named to the owner too, with what to do", () => {
    const notices = withCodes.flatMap((refusal) => ("notice" in refusal ? [refusal.notice] : []));
    expect(notices).to.have.length(13);
    for (const notice of notices) expect(notice).to.match(/BAUTA-R\d+\): .+\.$/);
  });
});

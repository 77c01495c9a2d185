import { expect } from "chai";
import type { ParsedMail } from "../../../../core/mail/parsedMail.ts";
import { replaceBlob } from "../../../../server/relay/evaluate/joinedBlob.ts";
import { parseMail } from "../../../../server/relay/evaluate/parseMail.ts";
import { onInputs } from "../../../support/corpora.ts";

const NodeBlob = globalThis.Blob;

const parse = (content: Uint8Array): Promise<ParsedMail | string> =>
  parseMail(content).catch((error: Error) => error.message);

describe("A mail parsed in a thread for rules", () => {
  afterEach(() => {
    globalThis.Blob = NodeBlob;
  });

  onInputs(["oddMails"], ({ areSamples, files: filesOf }) => {
    it("reads as anywhere else, whatever its encodings", async () => {
      const files = filesOf("oddMails");
      expect(files.length).to.be.greaterThan(areSamples ? 15 : 250);
      for (const { name, content } of files) {
        const usual = await parse(content);
        replaceBlob();
        expect(await parse(content), name).to.deep.equal(usual);
        globalThis.Blob = NodeBlob;
      }
    });
  });
});

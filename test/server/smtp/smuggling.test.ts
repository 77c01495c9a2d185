import { expect } from "chai";
import { onInputs } from "../../support/corpora.ts";
import { useSqlite } from "../support/databases.ts";
import { readQueue } from "../support/queue.ts";
import { useRelay } from "../support/relay.ts";
import type { SmtpClient } from "../support/smtpClient.ts";

type Sequences = Readonly<Record<string, readonly string[]>>;

const shown = (sequence: string): string => JSON.stringify(sequence);

describe("The end of a mail", () => {
  const { database } = useSqlite();
  const { mask, relay } = useRelay(database, "business");

  const contents = async (): Promise<readonly string[]> => {
    const rows = await readQueue(database().db);
    return rows.map(({ content }) => content.toString("latin1"));
  };

  const begin = async (): Promise<SmtpClient> => {
    const client = await relay.connect();
    await client.envelope("a@b.example", [mask.email]);
    await client.say("DATA");
    return client;
  };

  onInputs(["smuggling"], ({ areSamples, json }) => {
    it("is CRLF.CRLF alone: data after any other sequence is never a second mail", async () => {
      const sequences = json<Sequences>("smuggling").flatMap((lists) => Object.values(lists).flat());
      expect(sequences).to.have.lengthOf(areSamples ? 15 : 55);
      await Promise.all(
        sequences.map(async (sequence, index) => {
          const client = await begin();
          const smuggled = `MAIL FROM:<evil@b.example>\r\nRCPT TO:<${mask.email}>\r\nDATA\r\n\r\nsmuggled ${index}`;
          client.write(
            Buffer.from(`Subject: ${index}\r\n\r\nouter${sequence}${smuggled}\r\n.\r\n`, "latin1"),
          );
          expect(await client.reply(), shown(sequence)).to.match(/^250|^5/);
          expect(await client.say("NOOP"), shown(sequence)).to.match(/^250 2\.0\.0/);
        }),
      );
      const stored = await contents();
      for (const [index, sequence] of sequences.entries()) {
        const own = stored.filter((content) => content.includes(`Subject: ${index}\r\n`));
        expect(own.length, shown(sequence)).to.equal(1);
        expect(own[0]?.endsWith(`smuggled ${index}\r\n`), shown(sequence)).to.equal(true);
      }
      expect(stored).to.have.lengthOf(sequences.length);
    });
  });

  it("results in lines that end in CRLF only, without NUL, for the next hop", async () => {
    const client = await begin();
    client.write("Subject: outer\r\n\r\none\ntwo\rthree\r\r\nfour\0\r\n..five\n.\r\nsix\n..seven\r\n.\r\n");
    expect(await client.reply()).to.match(/^250/);
    const [content = ""] = await contents();
    expect(content.split("\r\n\r\n").slice(1).join("\r\n\r\n")).to.equal(
      "one\r\ntwo three\r\nfour \r\n.five\r\n.\r\nsix\r\n.seven\r\n",
    );
  });

  it("is detected for any split by the network", async () => {
    const whole = `Subject: cut\r\n\r\n..dots\r\n...\r\ntext\r\n`;
    const onlooker = await relay.connect();
    const cuts = Array.from({ length: whole.length + 2 }, (_, index) => index + 1);
    const clients = await Promise.all(cuts.map(begin));
    const bytes = `${whole}.\r\n`;
    for (const [index, at] of cuts.entries()) clients[index]?.write(bytes.slice(0, at));
    // What another client is answered was sent after the first parts, which have been read then.
    await onlooker.say("NOOP");
    for (const [index, at] of cuts.entries()) clients[index]?.write(bytes.slice(at));
    for (const [index, at] of cuts.entries())
      expect(await clients[index]?.reply(), String(at)).to.match(/^250/);
    const stored = new Set((await contents()).map((content) => content.split("\r\n\r\n")[1]));
    expect([...stored]).to.deep.equal([".dots\r\n..\r\ntext\r\n"]);
  });

  it("is detected in a mail without any content", async () => {
    const client = await begin();
    client.write(".\r\n");
    expect(await client.reply()).to.match(/^250/);
    expect(await contents()).to.have.lengthOf(1);
  });
});

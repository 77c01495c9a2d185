import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { mostWaiting, runOpenLoad } from "../../../server/cli/load/openLoad.ts";
import { createVirtualClock } from "../../fakes/virtualClock.ts";
import { startSink } from "../support/sink.ts";
import { useTemporaryFolder } from "../support/temporaryFolder.ts";
import { bauta } from "./support.ts";

describe("The load on a server for trials", () => {
  const folder = useTemporaryFolder();
  /** Every mail follows the one before by the mean time. */
  const regular = { fraction: () => 1 - Math.exp(-1) };
  const quiet = (): void => {};

  const held = () => {
    const open: (() => void)[] = [];
    return {
      open,
      send: (code: string) => () => new Promise<string>((resolve) => open.push(() => resolve(code))),
      answerAll: () => {
        for (const answer of open.splice(0)) answer();
      },
    };
  };

  it("comes at its rate, whether or not the server answers, and counts the wait of what was due", async () => {
    const clock = createVirtualClock();
    const { open, send, answerAll } = held();
    const load = { rate: 10, seconds: 60, send: send("250"), onProgress: quiet };
    const running = runOpenLoad(load, { clock, random: regular });
    await clock.advance(59_950);
    expect(open, "nothing is answered yet").to.have.length(599);
    answerAll();
    await clock.advance(1_000);
    const { sent, accepted, omitted, longest, median } = await running;
    expect({ sent, accepted, omitted }).to.deep.equal({ sent: 599, accepted: 599, omitted: 0 });
    expect(longest, "the first waited for the last").to.be.within(59_800, 59_900);
    expect(median).to.be.within(29_000, 31_000);
  });

  it("omits what is due while too many wait, and says how much", async () => {
    const clock = createVirtualClock();
    const { open, send, answerAll } = held();
    const load = { rate: 100, seconds: 30, send: send("421"), onProgress: quiet };
    const running = runOpenLoad(load, { clock, random: regular });
    await clock.advance(30_000);
    expect(open).to.have.length(mostWaiting);
    answerAll();
    const figures = await running;
    expect(figures).to.include({ sent: mostWaiting, accepted: 0, omitted: 999 });
    expect(figures.refused).to.deep.equal({ 421: mostWaiting });
  });

  it("reaches every address of a file over SMTP, and tells each refusal by its code", async () => {
    const sink = await startSink();
    try {
      sink.onRecipient = ({ to }) => (to.startsWith("gone") ? "550 5.1.1 No such mask" : null);
      const addresses = join(folder(), "addresses.txt");
      await writeFile(addresses, "one@masks.example\ntwo@masks.example\ngone@masks.example\n");
      const target = `127.0.0.1:${sink.port}`;
      const options = ["--addresses", addresses, "--rate", "60", "--seconds", "1", "--kilobytes", "2"];
      const { code, out, errors } = await bauta({ DATA_DIR: folder() }, "load", target, ...options, "--json");
      expect(errors).to.equal("");
      const { sent, accepted, refused } = JSON.parse(out) as {
        sent: number;
        accepted: number;
        refused: Record<string, number>;
      };
      expect(sent).to.equal(accepted + (refused["550"] ?? 0));
      expect(refused["550"]).to.be.greaterThan(0);
      expect(code, "something was refused").to.equal(1);
      expect(sink.mails).to.have.length(accepted);
      expect(new Set(sink.mails.map(({ to }) => to))).to.deep.equal(
        new Set(["one@masks.example", "two@masks.example"]),
      );
      expect(sink.mails[0]?.content.length).to.be.within(2_000, 3_000);
    } finally {
      await sink.close();
    }
  });

  it("needs a host with a port, and a file that names an address", async () => {
    const run = (...words: readonly string[]) => bauta({ DATA_DIR: folder() }, "load", ...words);
    const empty = join(folder(), "empty.txt");
    await writeFile(empty, "nobody\n");
    const [host, file, rate, none] = await Promise.all([
      run("staging.example", "--addresses", empty),
      run("staging.example:25"),
      run("staging.example:25", "--addresses", empty, "--rate", "0"),
      run("staging.example:25", "--addresses", empty),
    ]);
    expect([host?.code, host?.errors]).to.satisfy(
      ([code, text]: [number, string]) => code === 2 && text.includes("such as staging.example:25"),
    );
    expect([file?.code, file?.errors]).to.satisfy(
      ([code, text]: [number, string]) => code === 2 && text.includes("--addresses names a file"),
    );
    expect(none).to.include({ code: 1, errors: `There is no address in ${empty}.\n` });
    expect(rate?.code).to.equal(1);
  });
});

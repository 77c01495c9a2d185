import { expect } from "chai";
import type { MailLookup } from "../../../../server/platform/dns/dnsCache.ts";
import type { Evidence } from "../../../../server/proof/evidence.ts";
import { JudgeThreads } from "../../../../server/proof/threads/judgeThreads.ts";

const envelope = { sender: "a@b.example", helo: "b.example", remoteAddress: "192.0.2.1" } as const;

describe("A thread that judges mail", () => {
  let threads: JudgeThreads;
  beforeEach(() => {
    threads = new JudgeThreads({
      module: new URL("../stubbornJudgeThread.ts", import.meta.url),
      options: { host: "masks.example", trustedSealers: [], judgesPrivate: true },
      maxThreads: 1,
      stepMs: 300,
      totalMs: 20_000,
    });
  });
  afterEach(() => threads.stop());

  const run = (content: string, lookup: MailLookup = async () => []): Promise<Evidence | null> =>
    threads.run(
      { what: "judgement", content: Buffer.from(content), envelope },
      { lookup, onPolicy: () => {} },
    );

  it("is ended when a mail occupies it, and its other mails start again", async () => {
    const order: string[] = [];
    let asked = 0;
    const answer = Promise.withResolvers<string[]>();
    const waiting = run("ask, then finish", async () => {
      asked += 1;
      return asked === 1 ? answer.promise : [];
    }).then(() => order.push("other"));
    const stuck = run("never end").then(
      () => order.push("never"),
      (error: Error) => order.push(error.message),
    );
    await stuck;
    await waiting;
    answer.resolve([]);
    expect(order).to.deep.equal(["took too long", "other"]);
    expect(asked).to.equal(2);
    expect(await run("finish")).to.equal(null);
  });

  it("works on other mails while one waits for DNS", async () => {
    const answer = Promise.withResolvers<string[]>();
    const asked = Promise.withResolvers<void>();
    const order: string[] = [];
    const silent = run("ask, then finish", () => {
      asked.resolve();
      return answer.promise;
    }).then(() => order.push("silent"));
    await asked.promise;
    for (let n = 0; n < 30; n += 1) await run("finish");
    order.push("thirty others");
    answer.resolve([]);
    await silent;
    expect(order).to.deep.equal(["thirty others", "silent"]);
  });

  it("whose memory is full is ended, and the next mail has a new one", async () => {
    const failed = await run("fill the memory").catch((error: Error) => error.message);
    expect(failed).to.equal("took too long");
    expect(await run("finish")).to.equal(null);
  });
});

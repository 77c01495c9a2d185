import { expect } from "chai";
import { minuteMs } from "../../../../core/kernel/durations.ts";
import { createOwnRates } from "../../../../server/platform/rates/rates.ts";
import { createUnknownRecipients } from "../../../../server/relay/limits/unknownRecipients.ts";
import { firstGuessDelayMs, freeGuesses, longestGuessDelayMs } from "../../../../server/smtp/smtpLimits.ts";
import { useSqlite } from "../../support/databases.ts";
import { startDnsStub } from "../../support/dnsStub.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import { addMask, addOwner, type TestMask } from "../../support/owners.ts";
import { plainMail } from "../../support/plainMail.ts";
import { secrets } from "../../support/secrets.ts";
import { until } from "../../support/until.ts";

describe("Unknown recipients", () => {
  let now = 0;

  const create = () => {
    now = 1_000 * minuteMs;
    const limits = createUnknownRecipients({
      rates: createOwnRates(() => now),
      isUnlimited: (address) => address.startsWith("10."),
    });
    /** Names unknown recipients until the network is refused, or as many as given; returns how many were answered. */
    const guess = (addresses: readonly string[]): number =>
      addresses.filter((address) => {
        if (limits.refusalFor(address)) return false;
        limits.record(address);
        return true;
      }).length;
    return { ...limits, guess };
  };
  const often = (address: string, times: number): readonly string[] => Array(times).fill(address);

  it("are 50 for an address at once; then it is refused for ten minutes, and others are not", () => {
    const { guess, refusalFor } = create();
    expect(guess(often("192.0.2.7", 200))).to.equal(50);
    expect(refusalFor("192.0.2.7")).to.include({ code: 421 });
    expect(refusalFor("192.0.2.8")).to.equal(null);
    now += 10 * minuteMs;
    expect(guess(often("192.0.2.7", 200))).to.equal(0);
    now += 2 * minuteMs;
    expect(guess(often("192.0.2.7", 200))).to.be.within(1, 2);
  });

  it("are 150 for a /24 and a /56, however many addresses they use", () => {
    const { guess, refusalFor } = create();
    const all = Array.from({ length: 500 }, (_, n) => n);
    expect(guess(all.map((n) => `192.0.2.${n % 250}`))).to.equal(150);
    expect(guess(all.map((n) => `2001:db8:0:7${(n % 256).toString(16).padStart(2, "0")}::1`))).to.equal(150);
    expect([refusalFor("192.0.3.7"), refusalFor("2001:db8:0:800::1")]).to.deep.equal([null, null]);
  });

  it("are at most some 100 in an hour and a few hundred a day from one address", () => {
    const { guess } = create();
    let answered = 0;
    const during = (minutes: number): number => {
      for (let minute = 0; minute < minutes; minute += 1) {
        answered += guess(often("192.0.2.7", 100));
        now += minuteMs;
      }
      return answered;
    };
    expect(during(60)).to.be.below(110);
    expect(during(23 * 60)).to.be.below(400);
  });

  it("may be one of five for a sender whose other mail is accepted", () => {
    const { guess, recordAccepted, refusalFor } = create();
    for (let round = 0; round < 500; round += 1) {
      expect(guess(["192.0.2.7"]), `round ${round}`).to.equal(1);
      recordAccepted("192.0.2.7", 4);
    }
    for (let n = 0; n < 10_000; n += 1) recordAccepted("192.0.2.7", 4);
    expect(guess(often("192.0.2.7", 200)), "no more is saved").to.equal(50);
    expect(refusalFor("192.0.2.7")).not.to.equal(null);
  });

  it("are not limited for servers that speak for many senders", () => {
    const { guess, record } = create();
    expect(guess(often("10.0.0.1", 1_000))).to.equal(1_000);
    expect([record("10.0.0.1"), record("192.0.2.7")]).to.deep.equal([false, true]);
  });

  describe("named to the server", () => {
    const { database } = useSqlite();
    let relay: RunningListener;
    let mask: TestMask;

    beforeEach(async () => {
      relay = await startListener(database(), undefined, { isUnlimited: () => false });
      mask = await addMask(database().db, await addOwner(database().db));
    });
    afterEach(() => relay.close());

    const begin = async (from: string) => {
      const client = await relay.connect("EHLO client.example", from);
      await client.say("MAIL FROM:<a@b.example>");
      return client;
    };

    it("may be reverse addresses, which count as well", async () => {
      const dns = await startDnsStub({});
      const answering = await startListener(database(), undefined, {
        isUnlimited: () => false,
        secrets,
        dnsServer: dns.address,
      });
      try {
        const client = await answering.connect("EHLO client.example", "127.0.1.1");
        const reverse = `re-${"a".repeat(32)}@masks.example`;
        const guess = (): Promise<string> =>
          client.mail("a@b.example", [reverse], "From: a@b.example\r\n\r\n");
        for (let n = 0; n < freeGuesses; n += 1) expect(await guess()).to.match(/^550 5\.1\.1 BAUTA-R16 /);
        let isAnswered = false;
        const answer = guess().finally(() => {
          isAnswered = true;
        });
        await (await answering.connect("EHLO client.example", "127.0.2.1")).say("NOOP");
        expect(isAnswered).to.equal(false);
        await until("it is answered", async () => {
          await answering.clock.advance(longestGuessDelayMs);
          return isAnswered;
        });
        expect(await answer).to.match(/^550 5\.1\.1 BAUTA-R16 /);
      } finally {
        await answering.close();
        await dns.close();
      }
    });

    it("are answered later and later in a connection, whose known ones are answered at once", async () => {
      const client = await begin("127.0.1.1");
      const guess = (): Promise<string> => client.say("RCPT TO:<guess@masks.example>");
      for (let n = 0; n < freeGuesses; n += 1) expect(await guess()).to.match(/^550 5\.1\.1 /);
      for (let ms = firstGuessDelayMs; ms <= 2 * longestGuessDelayMs; ms *= 2) {
        let isAnswered = false;
        const answer = guess().then((text) => {
          isAnswered = true;
          return text;
        });
        const expected = Math.min(ms, longestGuessDelayMs);
        // The command has arrived once the server has answered another connection.
        await (await begin("127.0.2.1")).say("NOOP");
        await relay.clock.advance(expected - 1);
        expect(isAnswered, `${expected} ms`).to.equal(false);
        await relay.clock.advance(1);
        expect(await answer).to.match(/^550 5\.1\.1 /);
      }
      expect(await client.say(`RCPT TO:<${mask.email}>`)).to.match(/^250 /);
    });

    it("end all transactions of a network that has named too many, known recipients too, for some minutes", async () => {
      const answers: string[] = [];
      for (let n = 0; n < 18; n += 1) {
        const client = await begin("127.0.1.1");
        for (let times = 0; times < freeGuesses; times += 1)
          answers.push((await client.say(`RCPT TO:<guess${n}.${times}@masks.example>`)).slice(0, 9));
        client.destroy();
        if (answers.at(-1)?.startsWith("421")) break;
      }
      expect(answers.filter((answer) => answer === "550 5.1.1")).to.have.length(50);
      const client = await begin("127.0.1.1");
      expect(await client.say(`RCPT TO:<${mask.email}>`)).to.match(/^421 4\.7\.1 /);
      await client.closed;
      const other = await relay.connect("EHLO other.example", "127.0.2.1");
      expect(await other.mail("a@b.example", [mask.email], plainMail)).to.match(/^250/);
      await relay.clock.advance(12 * minuteMs);
      const again = await relay.connect("EHLO client.example", "127.0.1.1");
      expect(await again.mail("a@b.example", [mask.email], plainMail)).to.match(/^250/);
    });
  });
});

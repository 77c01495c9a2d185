import { expect } from "chai";
import { createNextHopTransport } from "../../../server/delivery/nextHopTransport.ts";
import type { DeliveryOutcome } from "../../../server/delivery/transport.ts";
import { type Sink, type SinkOptions, startSink } from "../support/sink.ts";

const mail = {
  id: "x",
  envelopeSender: "bounces@masks.example",
  recipient: "someone@home.example",
  size: 16,
  chunks: () => [Buffer.from("Subject: x\r\n\r\nx\r\n")],
  createdAt: 0,
};

const sendTo = async (
  options: SinkOptions,
  hop: { readonly host?: string; readonly user?: string; readonly password?: string } = {},
): Promise<{ readonly outcome: DeliveryOutcome; readonly sink: Sink }> => {
  const sink = await startSink(options);
  const transport = createNextHopTransport(
    { host: "127.0.0.1", port: sink.port, secure: false, ...hop },
    "masks.example",
    1,
  );
  try {
    return { outcome: await transport.send(mail), sink };
  } finally {
    transport.abort();
    await sink.close();
  }
};

describe("The next hop", () => {
  it("is used with TLS when it offers TLS, whoever signed its certificate", async () => {
    const { outcome, sink } = await sendTo({ startTls: true });
    expect(outcome.kind).to.equal("delivered");
    expect([sink.secured(), sink.mails.length]).to.deep.equal([1, 1]);
  });

  it("is used without TLS when it offers no TLS", async () => {
    const { outcome, sink } = await sendTo({});
    expect(outcome.kind).to.equal("delivered");
    expect([sink.secured(), sink.mails.length]).to.deep.equal([0, 1]);
  });

  it("gets user and password when it runs on the same machine", async () => {
    const { outcome, sink } = await sendTo({ password: "right" }, { user: "me", password: "right" });
    expect(outcome.kind).to.equal("delivered");
    expect(sink.mails).to.have.lengthOf(1);
  });

  it("makes no mail fail permanently when it refuses or requires a password", async () => {
    expect((await sendTo({ password: "right" }, { user: "me", password: "wrong" })).outcome.kind).to.equal(
      "temporary",
    );
    expect((await sendTo({ password: "right" })).outcome.kind).to.equal("temporary");
  });

  it("gets no password over the network unless its certificate is valid", async () => {
    const credentials = { host: "0.0.0.0", user: "me", password: "right" };
    for (const startTls of [false, true]) {
      const { outcome, sink } = await sendTo({ password: "right", startTls }, credentials);
      expect(outcome.kind).to.equal("temporary");
      expect(outcome.answer).to.match(/TLS|STARTTLS|certificate/i);
      expect(sink.mails).to.deep.equal([]);
    }
  });
});

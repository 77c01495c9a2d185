import { expect } from "chai";
import { sendWaiting } from "../../extension/background/sendWaiting.ts";
import { createConnectedApp } from "../../extension/connection/connectedApp.ts";
import { type Connection, storedConnection } from "../../extension/connection/connection.ts";
import { draftFor } from "../../extension/popup/popupCommands.ts";
import { createFakePorts } from "../fakes/fakePorts.ts";
import { createMask, serveProduct, tokenOf } from "../fakes/productServer.ts";
import { settled } from "../fakes/virtualClock.ts";

const connection: Connection = {
  server: "https://mail.example.org",
  token: tokenOf("ada@example.org"),
  tokenId: "t1",
  name: "Chrome",
  scopes: ["masks:create", "masks:read", "masks:write"],
};

/** A browser without a network, whose popup was closed after a mask was made and one was switched off. */
const open = async () => {
  const fakes = createFakePorts();
  const { ports, server, clock, online$ } = fakes;
  const product = serveProduct(server, { masks: [createMask("shop")] });
  storedConnection(ports.storage).write(connection);
  const popup = createConnectedApp(ports, connection);
  const close = popup.start();
  await settled();
  server.cutOff(true);
  online$.set(false);
  await popup.masks.setActive("shop", false)();
  await popup.waitingMasks.create(draftFor("new.example"), { kind: "plain" })();
  await clock.advance(1_000);
  close();
  const before = server.requests.length;
  return {
    ...fakes,
    product,
    goOnline: async () => {
      server.cutOff(false);
      online$.set(true);
      await clock.advance(10_000);
    },
    requests: () => server.requests.slice(before),
  };
};

describe("What was made without a network", () => {
  it("is sent by the background when there is one again", async () => {
    const { ports, product, goOnline } = await open();
    const sending = sendWaiting(ports).subscribe();
    await goOnline();
    expect(product.masks().map(({ madeFor, active }) => [madeFor, active])).to.have.deep.members([
      ["new.example", true],
      [undefined, false],
    ]);
    sending.unsubscribe();
  });

  it("is sent when the browser starts", async () => {
    const { ports, product, goOnline, clock } = await open();
    await goOnline();
    expect(product.masks()).to.have.lengthOf(1);
    const sending = sendWaiting(ports).subscribe();
    await clock.advance(10_000);
    expect(product.masks()).to.have.lengthOf(2);
    sending.unsubscribe();
  });

  it("asks the server nothing without a network, and nothing once it is sent", async () => {
    const { ports, requests, goOnline, clock } = await open();
    const first = sendWaiting(ports).subscribe();
    await clock.advance(600_000);
    expect(requests()).to.deep.equal([]);
    await goOnline();
    first.unsubscribe();
    const sent = requests().length;
    const second = sendWaiting(ports).subscribe();
    await clock.advance(600_000);
    expect(requests()).to.have.lengthOf(sent);
    second.unsubscribe();
  });

  it("is not sent once the user has disconnected", async () => {
    const { ports, requests, goOnline } = await open();
    storedConnection(ports.storage).remove();
    const sending = sendWaiting(ports).subscribe();
    await goOnline();
    expect(requests()).to.deep.equal([]);
    sending.unsubscribe();
  });
});

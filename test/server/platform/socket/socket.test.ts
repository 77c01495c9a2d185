import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { WebSocket } from "ws";
import { bystander } from "../../support/bystander.ts";
import { type Client, sendRaw } from "../../support/client.ts";
import { isType, openSocket, type SocketClient } from "../../support/socketClient.ts";
import { useSocketServer } from "../../support/socketServer.ts";

describe("The socket", () => {
  const { server, user, open, follower } = useSocketServer();
  const masks = { resource: "masks" };

  const refusal = (who: Pick<Client, "token" | "cookies">, headers = {}): Promise<string> =>
    openSocket(server.origin, who, { headers }).then(
      () => "opened",
      (error: Error) => error.message,
    );
  const userId = async (): Promise<string> =>
    (
      await server.database.db
        .selectFrom("users")
        .where("id", "!=", bystander.id)
        .select("id")
        .executeTakeFirstOrThrow()
    ).id;

  it("names its user as soon as it is open, and confirms the authentication message (RT2, RT3)", async () => {
    const socket = await open();
    const hello = await socket.waitFor(isType("connection_established"));
    expect(hello.data).to.have.property("userId", await userId());
    expect(hello.data?.["connectionId"]).to.match(/^[\w-]{20}$/);
    socket.send("auth", {
      token: user.token,
      sessionId: "0123456789abcdef",
      capabilities: { binary: false },
    });
    const { data } = await socket.waitFor(isType("auth_response"));
    expect(data).to.deep.equal({ success: true, userId: await userId() });
  });

  it("opens at the address that docs/api.md names, with the token and the cookie that it asks for", async () => {
    const document = await readFile(join(import.meta.dirname, "../../../../docs/api.md"), "utf8");
    const address =
      /over a WebSocket at `([^`]+)`/.exec(document)?.[1]?.replace("<token>", user.token ?? "") ?? "";
    const ask = (cookie: string, path: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${server.origin.replace(/^http/, "ws")}${path}`, {
          headers: { cookie },
        });
        socket.on("open", () => resolve("opened"));
        socket.on("error", ({ message }) => resolve(message));
        opened.push(socket);
      });
    const opened: WebSocket[] = [];
    const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    expect(await ask(cookie, address)).to.equal("opened");
    expect(await ask("", address)).to.contain("401");
    expect(await ask(cookie, address.replace(/\?.*/, ""))).to.contain("401");
    for (const socket of opened) socket.terminate();
  });

  it("answers a heartbeat", async () => {
    const socket = await open();
    socket.send("heartbeat");
    await socket.waitFor(isType("heartbeat_ack"));
    socket.send("ping");
    await socket.waitFor(isType("pong"));
  });

  it("sends changes to every page of a user, and not to other users (RT13)", async () => {
    const stranger = await server.signIn("stranger@example.org");
    const [phone, desk, other] = [
      await follower(user, masks),
      await follower(user, masks),
      await follower(stranger, masks),
    ];
    const { json } = await user.call("POST", "/masks", { body: { description: "Shop" } });
    const { id } = json as { id: string };
    for (const socket of [phone, desk]) {
      const { data } = await socket.waitFor(isType("data_update"));
      expect(data).to.deep.equal({ resource: "masks", resourceId: id, action: "created", entity: json });
    }
    await stranger.call("POST", "/masks", { body: { description: "Other" } });
    await other.waitFor(isType("data_update"));
    expect(other.messages.filter(isType("data_update"))).to.have.length(1);
    expect(phone.messages.filter(isType("data_update"))).to.have.length(1);
  });

  it("omits the id when several things have changed", async () => {
    const socket = await follower(user, masks);
    await user.call("POST", "/masks", { body: { description: "x", forwardTo: "other@example.net" } });
    const mail = (await server.mails("other@example.net")).at(-1)?.text ?? "";
    const token = /token=([\w-]+)/.exec(mail)?.[1] ?? "";
    await server.client().call("POST", "/confirm", {
      raw: `token=${token}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    const { data } = await socket.waitFor(
      ({ type, data }) => type === "data_update" && data?.["action"] === "updated",
    );
    expect(data).to.deep.equal({ resource: "masks", action: "updated" });
  });

  it("is refused without the token, without its cookie, and to pages of other sites", async () => {
    const noCookie = { token: user.token, cookies: new Map<string, string>() };
    expect(await refusal(noCookie)).to.equal("401");
    expect(await refusal({ token: "a.b.c", cookies: user.cookies })).to.equal("401");
    expect(await refusal(user, { origin: "https://evil.example" })).to.equal("403");
    expect(await refusal(user, { origin: "null" })).to.equal("403");
    const own = await openSocket(server.origin, user, { headers: { origin: server.origin } });
    own.socket.terminate();
    const stranger = await server.signIn("stranger@example.org");
    expect(await refusal({ token: stranger.token, cookies: user.cookies })).to.equal("401");
  });

  it("is the only path that upgrades: other upgrade requests are answered like plain requests", async () => {
    const asksFor = (upgrade: string, path: string) =>
      sendRaw(server.origin, { path, headers: { connection: "Upgrade", upgrade } });
    expect((await asksFor("websocket", "/config.json")).status).to.equal(200);
    expect((await asksFor("h2c", "/config.json")).status).to.equal(200);
    expect((await asksFor("websocket", "/wsx")).status).to.equal(404);
    const plain = await user.call("GET", `/ws?token=${user.token}`);
    expect(plain.status).to.equal(426);
    expect(plain.json).to.deep.equal({ message: "Open this address as a WebSocket." });
  });

  it("closes with 1008 when its session is logged out, and leaves the user's other sessions alone (D41)", async () => {
    const second = await server.signIn("owner@example.org");
    const [first, other] = [await open(), await open(second)];
    await user.call("POST", "/logout");
    expect(await first.closed).to.deep.equal({ code: 1008, reason: "The session has ended" });
    other.send("heartbeat");
    await other.waitFor(isType("heartbeat_ack"));
    expect(await refusal(user)).to.equal("401");
  });

  it("closes with 1008 when another process has ended the session", async () => {
    const socket = await open();
    await server.database.db.deleteFrom("sessions").where("user_id", "!=", bystander.id).execute();
    socket.send("heartbeat");
    expect((await socket.closed).code).to.equal(1008);
  });

  it("closes with 1008 after an authentication message with another user's token", async () => {
    const stranger = await server.signIn("stranger@example.org");
    for (const token of [stranger.token, "a.b.c", ""]) {
      const socket = await open();
      socket.send("auth", { token });
      const { data } = await socket.waitFor(isType("auth_response"));
      expect(data).to.deep.equal({ success: false, error: "Invalid or expired token" });
      expect((await socket.closed).code).to.equal(1008);
    }
  });

  it("is limited to ten for one user: the eleventh is refused with a request to try later", async () => {
    const sockets: SocketClient[] = [];
    for (let count = 0; count < 10; count++) sockets.push(await open());
    expect((await (await open()).closed).code).to.equal(1013);
    sockets[0]?.socket.close(1000);
    await sockets[0]?.closed;
    await (await open()).waitFor(isType("connection_established"));
  });

  it("closes with 1008 for a client that sends without pause", async () => {
    const socket = await open();
    for (let count = 0; count < 300; count++) socket.send("ping");
    expect(await socket.closed).to.deep.equal({ code: 1008, reason: "Too many messages" });
  });

  it("ignores messages of unknown types, and reports those it cannot parse", async () => {
    const socket = await open();
    socket.send("subscribe", { channel: "notifications" });
    socket.send("constructor", { __proto__: null });
    socket.socket.send('{"type":1}');
    socket.socket.send("not json");
    socket.socket.send("[".repeat(16_000));
    socket.socket.send(Buffer.from([1, 2, 3]));
    socket.send("auth", "no data");
    socket.send("ping");
    await socket.waitFor(isType("pong"));
    expect(socket.messages.filter(isType("error"))).to.have.length(5);
  });

  it("offers no compression, and accepts 16,384 bytes but not one more (RT9)", async () => {
    const socket = await open();
    expect(socket.socket.extensions).to.equal("");
    socket.socket.send(`"${"a".repeat(16_382)}"`);
    socket.send("ping");
    await socket.waitFor(isType("pong"));
    socket.socket.send(`"${"a".repeat(16_383)}"`);
    expect((await socket.closed).code).to.equal(1009);
  });
});

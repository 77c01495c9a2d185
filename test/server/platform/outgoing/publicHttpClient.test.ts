import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { expect } from "chai";
import {
  answerLimits,
  createPublicHttpClient,
  type OutgoingFailure,
  type OutgoingResult,
  type PublicHttpClientOptions,
} from "../../../../server/platform/outgoing/publicHttpClient.ts";
import { createTestAuthority } from "../../support/certificates.ts";

const never = new AbortController().signal;

describe("The client for addresses that strangers name", () => {
  const open: { readonly server: Server; readonly sockets: Set<Socket> }[] = [];
  afterEach(() => {
    for (const { server, sockets } of open.splice(0)) {
      server.close();
      for (const socket of sockets) socket.destroy();
    }
  });

  const listen = async (server: Server): Promise<number> => {
    const sockets = new Set<Socket>();
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
    });
    open.push({ server, sockets });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  };
  const serve = (handle: RequestListener): Promise<number> => listen(createServer(handle));
  /** Answers each connection with bytes, whatever it asks. */
  const speak = (write: (socket: Socket) => void): Promise<number> =>
    listen(createTcpServer((socket) => socket.once("data", () => write(socket))));

  const post = (
    url: string,
    options: Partial<PublicHttpClientOptions> = {},
    signal = never,
  ): Promise<OutgoingResult> =>
    createPublicHttpClient({ networks: [], isOwnListener: () => false, ...options })({
      url,
      headers: { "content-type": "application/json" },
      body: "{}",
      signal,
    });
  const onLoopback = (port: number, options: Partial<PublicHttpClientOptions> = {}) =>
    post(`http://127.0.0.1:${port}/hook?a=1`, { networks: ["loopback"], ...options });
  const expectFailure = (result: OutgoingResult, failure: OutgoingFailure, what = ""): void => {
    expect(result, what).to.deep.equal({ failure });
  };

  const privateAddresses = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.8.8.8",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:8.8.8.8",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::10.0.0.1",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
  ];

  for (const address of privateAddresses)
    it(`never reaches ${address}, written out or as what a name has`, async () => {
      const host = address.includes(":") ? `[${address}]` : address;
      expectFailure(await post(`https://${host}/`), "private-network");
      const resolve = async () => [address];
      expectFailure(await post("https://hook.example/", { resolve }), "private-network");
    });

  it("reads addresses as connections would: in octal, hexadecimal, as one number, in full-width digits", async () => {
    const forms = ["0177.0.0.1", "0x7f.1", "2130706433", "127.1", "１２７.0.0.1", "127.0.0.1."];
    for (const host of forms) expectFailure(await post(`https://${host}/`), "private-network", host);
    expectFailure(await post("https://localhost/"), "private-network");
  });

  it("connects to the address that it has checked, whatever the name has a moment later", async () => {
    let asked = 0;
    let requests = 0;
    const port = await serve((_request, response) => {
      requests += 1;
      response.end();
    });
    // The first answer is harmless; one who asked again to connect would get the second.
    const resolve = async () => {
      asked += 1;
      return asked === 1 ? ["127.0.0.1"] : ["127.0.0.2"];
    };
    const networks = ["127.0.0.1/32"];
    const first = await post(`http://hook.example:${port}/`, { networks, resolve });
    expect(first).to.include({ status: 200 });
    expect(asked).to.equal(1);
    expectFailure(await post(`http://hook.example:${port}/`, { networks, resolve }), "private-network");
    expect(requests).to.equal(1);
  });

  it("goes only to the public one of several addresses", async () => {
    let connections = 0;
    const port = await speak(() => {});
    open.at(-1)?.server.on("connection", () => {
      connections += 1;
    });
    const result = await post(`https://hook.example:${port}/`, {
      resolve: async () => ["127.0.0.1", "2001:4860:4860::8888"],
      withinMs: 300,
    });
    expect(result).to.have.property("failure").that.is.oneOf(["unreachable", "timeout", "refused"]);
    expect(connections).to.equal(0);
  });

  it("speaks without TLS to listed networks alone", async () => {
    const resolve = async () => ["93.184.215.14"];
    expectFailure(await post("http://hook.example/", { resolve, networks: ["loopback"] }), "insecure");
  });

  it("takes no user names, other protocols, ports of mail servers, and not its own listeners", async () => {
    for (const url of [
      "https://me:secret@hook.example/",
      "https://me@hook.example/",
      "ftp://a.example/",
      "x",
    ])
      expectFailure(await post(url), "address", url);
    for (const port of [25, 465, 587])
      expectFailure(await post(`https://hook.example:${port}/`), "port", String(port));
    const port = await serve((_request, response) => response.end());
    const isOwnListener = (address: string, own: number) => address === "127.0.0.1" && own === port;
    expectFailure(await onLoopback(port, { isOwnListener }), "own-listener");
  });

  it("posts a body and returns what is answered", async () => {
    let got = "";
    const port = await serve(async (request, response) => {
      got = `${request.method} ${request.url} ${request.headers["content-type"]} `;
      for await (const chunk of request) got += String(chunk);
      response.writeHead(503, { "retry-after": "120" }).end("busy");
    });
    expect(await onLoopback(port)).to.deep.equal({ status: 503, retryAfter: "120", text: "busy" });
    expect(got).to.equal("POST /hook?a=1 application/json {}");
  });

  it("follows no redirect", async () => {
    let requests = 0;
    const port = await serve((_request, response) => {
      requests += 1;
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    expect(await onLoopback(port)).to.include({ status: 307 });
    expect(requests).to.equal(1);
  });

  it("uses no proxy of the environment", async () => {
    const before = { ...process.env };
    Object.assign(process.env, { HTTP_PROXY: "http://127.0.0.1:9", NODE_USE_ENV_PROXY: "1" });
    try {
      const port = await serve((_request, response) => response.end("straight"));
      expect(await onLoopback(port)).to.include({ text: "straight" });
    } finally {
      for (const name of ["HTTP_PROXY", "NODE_USE_ENV_PROXY"])
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
    }
  });

  it("ends after its time, before an answer and while one drips", async () => {
    const silent = await speak(() => {});
    expectFailure(await onLoopback(silent, { withinMs: 100 }), "timeout");
    const dripping = await speak((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n");
      const drip = (): void => {
        if (!socket.destroyed) socket.write("x", () => setImmediate(drip));
      };
      drip();
    });
    expectFailure(await onLoopback(dripping, { withinMs: 100 }), "timeout");
  });

  it("cuts an endless body, and closes the connection", async () => {
    let isClosed: (() => void) | undefined;
    const closed = new Promise<void>((resolve) => {
      isClosed = resolve;
    });
    const port = await serve((_request, response) => {
      const pour = (): void => {
        while (!response.destroyed && response.write("x".repeat(16_384)));
      };
      response.on("drain", pour);
      response.on("close", () => isClosed?.());
      response.writeHead(200);
      pour();
    });
    const result = await onLoopback(port);
    expect(result).to.include({ status: 200 });
    expect("text" in result && result.text.length).to.equal(answerLimits.body);
    await closed;
  });

  it("refuses huge headers, and what is not HTTP", async () => {
    const huge = await speak((socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(20_000)}\r\n\r\n`));
    expectFailure(await onLoopback(huge), "header-too-large");
    const other = await speak((socket) => socket.write("220 mail.example ESMTP\r\n"));
    expectFailure(await onLoopback(other), "not-http");
  });

  it("says that nothing answers, that the connection was closed, and that a name is unknown", async () => {
    const port = await serve(() => {});
    open.at(-1)?.server.close();
    expectFailure(await onLoopback(port), "refused");
    expectFailure(await onLoopback(await speak((socket) => socket.destroy())), "closed");
    const cut = await speak((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf"));
    expectFailure(await onLoopback(cut), "closed");
    const resolve = async () => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" }));
    expectFailure(await post("https://hook.example/", { resolve }), "unknown-host");
  });

  it("verifies certificates, for the name of the address", async () => {
    const authority = createTestAuthority();
    const { cert, key } = authority.issue("hook.example");
    const port = await listen(
      createSecureServer({ cert, key }, (_request, response) => response.end("safe")),
    );
    const options = { networks: ["loopback"], resolve: async () => ["127.0.0.1"] };
    expect(await post(`https://hook.example:${port}/`, { ...options, ca: authority.cert })).to.include({
      text: "safe",
    });
    expectFailure(await post(`https://hook.example:${port}/`, options), "certificate");
    expectFailure(
      await post(`https://other.example:${port}/`, { ...options, ca: authority.cert }),
      "certificate",
    );
  });

  it("ends at once when the process stops", async () => {
    const stop = new AbortController();
    const port = await speak(() => stop.abort());
    expectFailure(
      await post(`http://127.0.0.1:${port}/`, { networks: ["loopback"] }, stop.signal),
      "stopped",
    );
  });
});

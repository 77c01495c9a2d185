import { expect } from "chai";
import { type Client, createClient } from "../../support/client.ts";
import { openSocket, settle } from "../../support/socketClient.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

const browser = { headers: { accept: "text/html,*/*;q=0.8" } };

for (const [what, path] of [
  ["that the proxy before it takes off", ""],
  ["that the proxy passes on", "/bauta"],
] as const)
  describe(`The app under a path ${what}`, () => {
    let server: TestServer;
    let client: Client;
    let at: string;
    before(async () => {
      server = await startServer({ publicUrl: "https://home.test/bauta" });
      at = `${server.origin}${path}`;
      client = createClient(at);
    });
    after(() => server.stop());

    it("has a page that finds its files and its server there, also at the address of a call", async () => {
      for (const place of ["", "/", "/login", "/masks/some-mask"]) {
        const { status, text } = await client.call("GET", place, browser);
        expect(status, place).to.equal(200);
        expect(text)
          .to.contain('<meta name="base-address" content="/bauta">')
          .and.to.contain('<link rel="icon" href="/bauta/icon.svg">');
      }
      for (const file of [
        "/icon.svg",
        "/assets/main-ABCDEF12.js",
        "/serviceWorker.js",
        "/manifest.webmanifest",
      ])
        expect((await client.call("GET", file)).status, file).to.equal(200);
    });

    it("has pages without scripts whose links lead there", async () => {
      const { text } = await client.call("GET", "/nothing/here", browser);
      expect(text).to.contain('<base href="/bauta/">').and.to.contain('<a href="./">Go to Bauta</a>');
    });

    it("signs in with cookies that an app beside it does not get, and is told of changes", async () => {
      const email = "ada@home.test";
      await client.call("POST", "/login", { body: { email } });
      const proven = await client.call("PUT", "/login", { body: { email, otp: await server.code(email) } });
      const { tempToken } = proven.json as { readonly tempToken: string };
      const signedUp = await client.call("POST", "/signup", { body: { tempToken, tier: "free" } });
      const cookies = signedUp.headers.getSetCookie();
      expect(cookies.find((line) => line.startsWith("__Secure-maskSession="))).to.contain("; Path=/bauta;");
      expect(cookies.filter((line) => !line.includes("; Path=/bauta;"))).to.deep.equal([]);
      client.token = (signedUp.json as { readonly token: string }).token;
      const origin = "https://home.test";
      expect(
        (await client.call("POST", "/masks", { body: { description: "Shop" }, headers: { origin } })).status,
      ).to.equal(201);
      const socket = await openSocket(at, client, { origin });
      await settle(socket);
      socket.socket.terminate();
    });

    it("refuses a page of another host, and lets the page open a socket of its own", async () => {
      const foreign = { body: { description: "Shop" }, headers: { origin: "https://elsewhere.test" } };
      expect((await client.call("POST", "/masks", foreign)).status).to.equal(403);
      const policy = (await client.call("GET", "/", browser)).headers.get("content-security-policy");
      expect(policy).to.contain("connect-src 'self' wss://home.test;");
    });

    it("answers the programs of other services", async () => {
      const answer = await fetch(`${at}//api/user_info`);
      expect([answer.status, await answer.json()]).to.deep.include.members([401]);
      const led = await fetch(`${at}/dashboard/api_key/`, { redirect: "manual" });
      expect(led.headers.get("location")).to.equal("/bauta/#settings/programs/api-tokens");
    });

    it("is not at an address that only begins alike", async () => {
      for (const place of ["/bautas", "/bauta.html", "/BAUTA/login"])
        expect((await fetch(`${server.origin}${place}`)).status, place).to.equal(404);
    });
  });

describe("The start of a server under a path", () => {
  for (const path of ["/masks", "/api", "/login/app"])
    it(`is refused for ${path}, where the server has addresses of its own`, async () => {
      const refusal = await startServer({ publicUrl: `https://home.test${path}` }).then(
        () => null,
        (error: unknown) => (error as Error).message,
      );
      expect(refusal).to.equal(
        `PUBLIC_URL is "https://home.test${path}"; expected a path that does not begin with /${path.split("/")[1]}, where the server has addresses of its own.`,
      );
    });
});

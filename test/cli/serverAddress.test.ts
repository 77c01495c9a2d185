import { expect } from "chai";
import { serverAddress } from "../../cli/login/connect.ts";

describe("The address of a server on the command line", () => {
  it("is https where nothing else is named, and plain http to this machine alone", () => {
    expect(serverAddress("mail.example.org")).to.equal("https://mail.example.org");
    expect(serverAddress("https://mail.example.org/")).to.equal("https://mail.example.org");
    for (const here of [
      "http://localhost:3000",
      "http://127.0.0.1:3000",
      "http://127.9.9.9",
      "http://[::1]:3000",
    ])
      expect(serverAddress(here)).to.equal(here);
    expect(serverAddress("http://bauta.localhost:3000")).to.equal("http://bauta.localhost:3000");
  });

  it("of this machine is http where no protocol is named, as its server speaks it", () => {
    for (const here of ["localhost:3000", "127.0.0.1:3000", "[::1]:3000"])
      expect(serverAddress(here)).to.equal(`http://${here}`);
    expect(serverAddress("https://localhost:3000")).to.equal("https://localhost:3000");
  });

  it("is refused with a protocol that is mistyped, which would else be taken for a name", () => {
    for (const typed of [
      "htps://mail.example.org",
      "https//mail.example.org",
      "https:/mail.example.org",
      "http:mail.example.org",
      "ftp://mail.example.org",
    ])
      expect(() => serverAddress(typed), typed).to.throw(
        `"${typed}" is not the address of a server. Write it as in https://mail.example.org.`,
      );
  });

  it("is refused with plain http to any other machine, before a code or token is sent", () => {
    for (const typed of [
      "http://mail.example.org",
      "HTTP://MAIL.EXAMPLE.ORG",
      "http://10.0.0.7:3000",
      "http://localhost.example.org",
      "http://127.0.0.1.example.org",
      "http://notlocalhost",
      "http://[fd00::1]",
      "http://[::ffff:10.0.0.7]",
      "http://0.0.0.0:3000",
    ])
      expect(() => serverAddress(typed), typed).to.throw(/is not encrypted.*https:\/\//);
  });
});

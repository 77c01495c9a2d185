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

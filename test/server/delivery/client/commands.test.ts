import { expect } from "chai";
import { toPath } from "../../../../server/delivery/client/commands.ts";

describe("The path of an address in a command", () => {
  it("is the address as it is, with its host in ASCII", () => {
    for (const address of [
      "",
      "a@b.example",
      "foo..bar.@b_c.example",
      '"john doe"@b.example',
      "root@[192.0.2.1]",
      "żółw@[192.0.2.1]",
    ])
      expect(toPath(address), address).to.equal(address);
    expect(toPath("żółw@müller.example")).to.equal("żółw@xn--mller-kva.example");
  });

  it("does not exist for what would be read as another command or address", () => {
    for (const address of [
      "a b@c.example",
      "a>@c.example",
      "a\r\nDATA@c.example",
      '"a\r\nb"@c.example',
      '"a b"@c d.example',
      '"a" "b"@c.example',
      '"a>b"@c.example',
    ])
      expect(toPath(address), address).to.equal(null);
  });
});

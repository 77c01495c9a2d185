import { expect } from "chai";
import { findOwnAddresses } from "../../../../server/features/operator/ownAddresses.ts";
import { named } from "../../../support/domainNames.ts";

const config = { maskDomain: named("masks.example"), publicUrl: "https://app.masks.example" };

describe("The addresses of a server", () => {
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

  it("are those of the machine and of its name, each once", async () => {
    const dns = { resolve4: async () => ["192.0.2.1", "192.0.2.2"], resolve6: failing("ENODATA") };
    expect(await findOwnAddresses(dns, config, ["192.0.2.1"])).to.deep.equal(["192.0.2.1", "192.0.2.2"]);
  });

  it("are those of the machine alone while DNS does not answer, and on loopback", async () => {
    const silent = { resolve4: failing("ETIMEOUT"), resolve6: failing("ETIMEOUT") };
    expect(await findOwnAddresses(silent, config, ["192.0.2.1"])).to.deep.equal(["192.0.2.1"]);
    const dns = { resolve4: async () => ["192.0.2.9"], resolve6: async () => [] };
    const local = { ...config, publicUrl: "http://127.0.0.1:3000" };
    expect(await findOwnAddresses(dns, local, [])).to.deep.equal([]);
  });
});

import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { createFindBreaches, type FindBreaches } from "../../../../server/features/breaches/breachSource.ts";
import { pour } from "../../support/pour.ts";

const hashOf = (address: string): string => createHash("sha1").update(address).digest("hex").toUpperCase();

describe("The search for a leaked address", () => {
  let asked: string[] = [];
  let answer: { status: number; body: string } | "silence" | "endless" = { status: 200, body: "" };
  let find: FindBreaches;
  let url: string;
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (answer === "silence") return;
    if (answer === "endless") {
      pour(response);
      return;
    }
    response.writeHead(answer.status).end(answer.body);
  });
  before((listening) => void server.listen(0, "127.0.0.1", listening));
  after((closed) => {
    server.closeAllConnections();
    server.close(closed);
  });
  beforeEach(() => {
    asked = [];
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/range/`;
    find = createFindBreaches(url);
  });

  it("tells the source five digits of its hash, and finds it among the others", async () => {
    const hash = hashOf("shop@masks.example");
    answer = { status: 200, body: `${"0".repeat(35)}:7\r\n${hash.slice(5).toLowerCase()}:12\r\n` };
    expect(await find("Shop@Masks.example")).to.equal(12);
    expect(asked).to.deep.equal([`/range/${hash.slice(0, 5)}`]);
    expect(await find("other@masks.example")).to.equal(0);
  });

  it("takes padding and a range without addresses for no leak", async () => {
    answer = { status: 200, body: `${hashOf("shop@masks.example").slice(5)}:0` };
    expect(await find("shop@masks.example")).to.equal(0);
    answer = { status: 404, body: "nothing" };
    expect(await find("shop@masks.example")).to.equal(0);
  });

  it("has no result when the source fails, is silent or never ends", async () => {
    answer = { status: 500, body: "" };
    expect(await find("shop@masks.example")).to.equal(null);
    for (const trouble of ["silence", "endless"] as const) {
      answer = trouble;
      expect(await createFindBreaches(url, 50)("shop@masks.example")).to.equal(null);
    }
  });
});

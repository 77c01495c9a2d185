import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { expectAccessible } from "../support/accessible.ts";
import { tabLink } from "../support/tabLink.ts";
import { sendMail } from "./support/mail.ts";
import { useProduct } from "./support/product.ts";
import { createMask } from "./support/visitor.ts";

const digestOf = (address: string): string => createHash("sha1").update(address).digest("hex").toUpperCase();

describe("known leaks, in a real browser", () => {
  const leaked = new Set<string>();
  const asked: string[] = [];
  let isAnswering = true;
  const environment: NodeJS.ProcessEnv = {};
  const source = createServer((request, response) => {
    const prefix = request.url?.split("/").at(-1) ?? "";
    asked.push(prefix);
    const lines = [...leaked].map(digestOf).filter((digest) => digest.startsWith(prefix));
    response.writeHead(isAnswering ? 200 : 500).end(lines.map((digest) => `${digest.slice(5)}:3`).join("\n"));
  });
  before(async () => {
    source.listen(0, "127.0.0.1");
    await once(source, "listening");
    environment["BREACH_RANGES"] = `http://127.0.0.1:${(source.address() as AddressInfo).port}/range`;
  });
  after((closed) => {
    source.closeAllConnections();
    source.close(closed);
  });
  const { server, visitAs } = useProduct(() => environment);

  it("are searched for the address of a mask when its owner asks, on a wide and a narrow screen", async () => {
    const visitor = await visitAs("leaks@example.org");
    const { page } = visitor;
    const address = await createMask(page, "Corner Shop");
    await sendMail(server, address);
    await tabLink(page, "Insights").click();
    const look = page.getByRole("button", { name: "Look for leaks" });
    await look.waitFor();
    expect(asked.splice(0)).to.deep.equal([]);
    await look.press("Enter");
    await page.getByText("Corner Shop is in no known leak.").waitFor();
    expect(asked.splice(0)).to.deep.equal([digestOf(address).slice(0, 5)]);
    leaked.add(address);
    await look.press("Enter");
    await page.getByText("Corner Shop is in known leaks: 3 times.").waitFor();
    await expectAccessible(page, "a leaked mask");
    isAnswering = false;
    await look.press("Enter");
    await page.getByText("The source of leaked addresses does not answer.").first().waitFor();
    isAnswering = true;
    asked.splice(0);
  });
});

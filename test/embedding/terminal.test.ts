import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { useServer } from "../e2e/support/product.ts";
import { codeMailedTo } from "../e2e/support/server.ts";
import { codePrompt, exampleInReadme, examplePath, runExample, signUpWithMask } from "./support/example.ts";

/** Replaces the imports of the repository with those of the package. */
const withPackageImports = (code: string): string =>
  code
    .replace("../../adapters/node/terminalPorts.ts", "@bauta/core/node")
    .replace("../../core/app/createApp.ts", "@bauta/core");

describe("a shell that embeds the core", () => {
  const server = useServer();

  it("is the README's example, letter for letter except for the imports", async () => {
    const example = await readFile(examplePath, "utf8");
    expect(await exampleInReadme()).to.equal(withPackageImports(example));
  });

  it("signs in from a terminal and prints the masks, as the example does", async () => {
    const email = "terminal@example.org";
    const { address, code } = await signUpWithMask(server, email);
    const ran = await runExample(examplePath, server, email, () =>
      codeMailedTo(server, email, new Set([code])),
    );
    expect(ran).to.deep.equal({ printed: `${codePrompt}${address}\n`, errors: "", exitCode: 0 });
  });

  it("prints an error when the code is wrong", async () => {
    const email = "mistaken@example.org";
    const wrong = async (): Promise<string> => {
      const code = Number(await codeMailedTo(server, email));
      return String((code + 1) % 1_000_000).padStart(6, "0");
    };
    const { printed, errors, exitCode } = await runExample(examplePath, server, email, wrong);
    expect(printed).to.equal(codePrompt);
    expect(errors).to.match(/code/i);
    expect(exitCode).to.equal(1);
  });

  it("prints a sentence when the code comes so quickly after the address that it is not sent", async () => {
    const email = "quick@example.org";
    const { errors, exitCode } = await runExample(
      ...([examplePath, server, email] as const),
      async () => "123456",
      (prompted) => prompted,
    );
    expect(errors).to.equal("This came too soon after the last request. Try again in a moment.\n");
    expect(exitCode).to.equal(1);
  });

  it("prints an error when the address is malformed", async () => {
    const { errors, exitCode } = await runExample(examplePath, server, "nobody", async () => "");
    expect(errors).to.equal("Please enter a valid email address\n");
    expect(exitCode).to.equal(1);
  });
});

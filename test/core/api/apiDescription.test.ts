import { expect } from "chai";
import {
  curlOf,
  type DescribedCall,
  readApiDescription,
  requestOf,
  searchCalls,
} from "../../../core/api/apiDescription.ts";

const script = new URL("../../../scripts/api/openApi.mjs", import.meta.url);
const { openApiText } = (await import(script.href)) as { readonly openApiText: () => Promise<string> };
const text = await openApiText();

describe("The description of the API that programmers read", () => {
  const groups = readApiDescription(text) ?? [];
  const calls = groups.flatMap((group) => group.calls);
  const callAt = (anchor: string): DescribedCall => {
    const found = calls.find((call) => call.anchor === anchor);
    if (!found) throw new Error(`no call ${anchor}`);
    return found;
  };

  it("has every call of the document once, each at an address of its own", () => {
    const { paths } = JSON.parse(text) as { paths: Record<string, object> };
    expect(calls).to.have.lengthOf(Object.values(paths).flatMap((one) => Object.keys(one)).length);
    expect(new Set(calls.map(({ anchor }) => anchor)).size).to.equal(calls.length);
  });

  it("says of a call what it needs, takes and answers", () => {
    const call = callAt("put-masks-id");
    expect(call).to.deep.include({
      method: "PUT",
      path: "/masks/{id}",
      access: "masks:write",
      isStable: true,
    });
    expect(
      call.inputs.map(({ name, place, isRequired }) => [name, place, isRequired]),
    ).to.deep.include.members([
      ["id", "path", true],
      ["Idempotency-Key", "header", false],
    ]);
    expect(JSON.parse(call.body ?? "")).to.deep.include({ description: "Shoe shop" });
    expect(call.answerFields).to.include("id: string");
    expect(call.errors.map(({ status }) => status)).to.include.members(["401", "403", "404", "422"]);
    expect([callAt("get-healthz").access, callAt("get-account-export").access]).to.deep.equal([
      "open",
      "none",
    ]);
  });

  it("is null for anything else", () => {
    for (const other of ["", "null", "[]", "<html>", '{"openapi":"3.1.0"}', '{"paths":{"/":{"get":1}}}'])
      expect(readApiDescription(other), other).to.equal(null);
  });

  it("is searched by path, scope and words, with those of the app on request", () => {
    const found = (search: string, isForTokens: boolean): readonly string[] =>
      searchCalls(groups, search, isForTokens).flatMap((group) => group.calls.map(({ anchor }) => anchor));
    expect(found("masks:create", true)).to.include("post-masks");
    expect(found("POST signup", true)).to.deep.equal([]);
    expect(found("POST signup", false)).to.include("post-signup");
    expect(found("teapots", false)).to.deep.equal([]);
  });

  it("writes a request and its command, in which nothing typed leaves its quotes and no token stands", () => {
    const request = requestOf(
      callAt("put-masks-id"),
      "https://mail.example.org",
      { id: "a/b?c", "Idempotency-Key": '"x"' },
      `{"description":"Ada's; rm -rf $HOME"}`,
      "bauta_secret",
    );
    expect(request).to.deep.equal({
      method: "PUT",
      url: "https://mail.example.org/masks/a%2Fb%3Fc",
      headers: {
        authorization: "Bearer bauta_secret",
        "content-type": "application/json",
        "idempotency-key": '"x"',
      },
      body: `{"description":"Ada's; rm -rf $HOME"}`,
    });
    expect(curlOf(request)).to.equal(
      [
        `curl --request PUT 'https://mail.example.org/masks/a%2Fb%3Fc' \\`,
        `  --header "Authorization: Bearer $BAUTA_TOKEN" \\`,
        `  --header 'content-type: application/json' \\`,
        `  --header 'idempotency-key: "x"' \\`,
        `  --data '{"description":"Ada'\\''s; rm -rf $HOME"}'`,
      ].join("\n"),
    );
    const search = requestOf(callAt("get-masks"), "", { q: "a b", limit: "" }, null, "");
    expect(search.url).to.equal("/masks?q=a%20b");
  });
});

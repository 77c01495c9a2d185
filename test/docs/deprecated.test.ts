import { expect } from "chai";
import * as t from "io-ts";
import { endpoint } from "../../core/api/endpoint.ts";

const script = new URL("../../scripts/api/openApi.mjs", import.meta.url);

describe("A deprecated call in the OpenAPI document", () => {
  it("is marked, and says since when, until when and what to do instead", async () => {
    const { describeCalls } = (await import(script.href)) as {
      describeCalls: (declared: unknown) => { paths: Record<string, Record<string, unknown>> };
    };
    const value = endpoint("GET", "/old", {
      answer: t.type({ message: t.string }),
      deprecation: { since: "2026-11-01", until: "2027-11-01", instead: "Use GET /new." },
    });
    const source = "/** Reads the old thing. */\nexport const getOld = 1;\n";
    const one = { file: "core/masks/old.ts", source, name: "getOld", value };
    const { paths } = describeCalls({ endpoints: [one], types: [] });
    expect(paths["/old"]?.get).to.deep.include({
      deprecated: true,
      description:
        "Reads the old thing. Deprecated since 2026-11-01, may be gone from 2027-11-01. Use GET /new.",
    });
  });
});

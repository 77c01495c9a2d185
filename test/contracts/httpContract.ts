import { expect } from "chai";
import { Subject } from "rxjs";
import type { Http, HttpRequest } from "../../core/ports/http.ts";
import { until } from "../server/support/until.ts";
import { problemlessly } from "./outcomes.ts";

/** A server that each adapter's test must provide. */
export interface HttpSubject {
  readonly http: Http;
  /** Its address: "" or an origin. It answers these paths:
   * - /echo with 200, the request as JSON {method, path, headers, body}, and the header X-Answer: yes
   * - /status/{code} with that status, and the body "said {code}" where a body is allowed
   * - /slow never
   */
  readonly origin: string;
  /** An origin at which no server listens. */
  readonly nowhere: string;
  readonly stop?: () => Promise<void>;
}

const get = (url: string): HttpRequest => ({ method: "GET", url, headers: {} });

/** The tests that every HTTP adapter must pass. */
export const httpContract = (make: () => Promise<HttpSubject>): void => {
  let subject: HttpSubject;
  before(async () => {
    subject = await make();
  });
  after(() => subject.stop?.());

  for (const method of ["GET", "POST", "PUT", "DELETE"] as const) {
    it(`sends a ${method} with its headers and body, and returns the answer`, async () => {
      const body = method === "GET" ? undefined : JSON.stringify({ text: "ünï 🎭" });
      const headers = {
        "content-type": "application/json",
        "x-request-id": "abc",
        authorization: "Bearer a.b.c",
      };
      const answer = problemlessly(
        await subject.http({ method, url: `${subject.origin}/echo?a=b`, headers, body })(),
      );
      expect(answer.status).to.equal(200);
      expect(answer.headers["x-answer"]).to.equal("yes");
      const seen = JSON.parse(answer.body);
      expect(seen).to.include({ method, path: "/echo" });
      expect(seen.headers).to.include(headers);
      expect(seen.body).to.deep.equal(body === undefined ? null : { text: "ünï 🎭" });
    });
  }

  for (const status of [201, 400, 401, 404, 429, 500, 503]) {
    it(`returns a ${status} as an answer, not as a failure`, async () => {
      const answer = problemlessly(await subject.http(get(`${subject.origin}/status/${status}`))());
      expect([answer.status, answer.body]).to.deep.equal([status, `said ${status}`]);
    });
  }

  it("fails with `network` where no server answers", async () => {
    const result = await subject.http(get(`${subject.nowhere}/echo`))();
    expect(result).to.have.nested.property("left.kind", "network");
    expect(result).to.have.nested.property("left.detail").that.is.a("string").and.not.equal("");
  });

  it("cancels a request that is no longer needed", async () => {
    const abort$ = new Subject<void>();
    const waiting = subject.http({ ...get(`${subject.origin}/slow`), abort$ })();
    await until("it can be cancelled", () => abort$.observed);
    abort$.next();
    expect(await waiting).to.have.nested.property("left.kind", "cancelled");
    expect(abort$.observed).to.equal(false);
  });

  it("sends nothing until the task is run, and sends again with each run", async () => {
    const asking = subject.http(get(`${subject.origin}/echo`));
    const answers = [await asking(), await asking()];
    expect(answers.map(({ _tag }) => _tag)).to.deep.equal(["Right", "Right"]);
  });
};

import { expect } from "chai";
import * as E from "fp-ts/lib/Either.js";
import type * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../../../core/api/call.ts";
import { endpoint } from "../../../core/api/endpoint.ts";
import { type Failure, refused } from "../../../core/kernel/failure.ts";
import { createProofQuestions } from "../../../core/session/proofQuestions.ts";

const message = "Confirm that it is you, then try again.";
const missing = refused(403, message, [{ field: "proof", message }]);
const change = endpoint("DELETE", "/keys");

/** Calls that are refused until `isProven`, with the number of those sent. */
const createServer = (failure: Failure = missing) => {
  const server = { isProven: false, sent: 0 };
  const send = (): TE.TaskEither<Failure, void> => () => {
    server.sent += 1;
    return Promise.resolve(server.isProven ? E.right(undefined) : E.left(failure));
  };
  return Object.assign(server, { call: (() => send) as unknown as Call });
};

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("A change that needs to know that it is the user", () => {
  it("waits for the answer, and is sent again after a proof", async () => {
    const server = createServer();
    const questions = createProofQuestions();
    const done = questions.asking(server.call)(change)()();
    await settled();
    expect(server.sent).to.equal(1);
    server.isProven = true;
    questions.question$.value?.answer(true);
    expect(E.isRight(await done)).to.equal(true);
    expect(server.sent).to.equal(2);
    expect(questions.question$.value).to.equal(null);
  });

  it("is given up with the server's sentence for the whole form, and is asked for anew the next time", async () => {
    const server = createServer();
    const questions = createProofQuestions();
    const first = questions.asking(server.call)(change)()();
    await settled();
    questions.question$.value?.answer(false);
    expect(await first).to.deep.equal(E.left({ ...missing, errors: [] }));
    expect(server.sent).to.equal(1);
    void questions.asking(server.call)(change)()();
    await settled();
    expect(questions.question$.value).not.to.equal(null);
  });

  it("shares one question with another that is refused meanwhile", async () => {
    const server = createServer();
    const questions = createProofQuestions();
    const both = [questions.asking(server.call)(change)()(), questions.asking(server.call)(change)()()];
    await settled();
    server.isProven = true;
    questions.question$.value?.answer(true);
    expect((await Promise.all(both)).every(E.isRight)).to.equal(true);
    expect(server.sent).to.equal(4);
  });

  it("asks nothing when it is refused for another reason", async () => {
    const server = createServer(refused(403, "Not yours"));
    const questions = createProofQuestions();
    expect(E.isLeft(await questions.asking(server.call)(change)()())).to.equal(true);
    expect(questions.question$.value).to.equal(null);
  });
});

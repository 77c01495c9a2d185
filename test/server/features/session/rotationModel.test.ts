import { randomBytes } from "node:crypto";
import { expect } from "chai";
import fc from "fast-check";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { createRefresh } from "../../../../server/features/session/refreshSession.ts";
import { createSessions } from "../../../../server/features/session/sessions.ts";
import { createSessionTokens } from "../../../../server/features/session/sessionToken.ts";
import { createKeyedHash } from "../../../../server/platform/ops/keyedHash.ts";
import { useSqlite } from "../../support/databases.ts";
import { addOwner } from "../../support/owners.ts";
import { createTestClock } from "../../support/testClock.ts";

/** An action of a client with a copy of a cookie; `which` counts back from the newest cookie. */
type Step =
  | { readonly kind: "refresh" | "use"; readonly which: number }
  | { readonly kind: "wait"; readonly seconds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom("refresh" as const, "use" as const), which: fc.nat(3) }),
  fc.record({ kind: fc.constant("wait" as const), seconds: fc.constantFrom(1, 4, 5, 10, 29, 31, 3_600) }),
);

const use = (which: number): Step => ({ kind: "use", which });
const refresh = (which: number): Step => ({ kind: "refresh", which });
const wait = (seconds: number): Step => ({ kind: "wait", seconds });

/** A minimal model of which issued cookies are accepted. */
interface Model {
  readonly alive: boolean;
  readonly current: number;
  readonly previous: number;
  readonly rotatedAt: number;
  readonly seen: boolean;
}

/** A secret is not replaced twice in the time in which one may be accepted without another check. */
const isJustReplaced = (model: Model, now: number): boolean => now < model.rotatedAt + 5;

const worth = (model: Model, index: number, now: number): "current" | "grace" | "lost" | "nothing" => {
  if (!model.alive) return "nothing";
  if (index === model.current) return "current";
  if (index !== model.previous) return "nothing";
  if (now < model.rotatedAt + 30) return "grace";
  return model.seen ? "nothing" : "lost";
};

describe("The secrets of a session", () => {
  const { database } = useSqlite();

  it("are accepted exactly as the model says, for any order of uses", async () => {
    const { id: userId } = await addOwner(database().db);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const clock = createTestClock();
        const frozen = Date.now();
        let seconds = 0;
        const now = () => frozen + seconds * 1_000;
        const parts = {
          database: database(),
          tokens: createSessionTokens(randomBytes(32)),
          hash: createKeyedHash(randomBytes(32)),
          clock: { ...clock, now },
          random: cryptoRandom,
          feed: { wake: () => {} },
        };
        const { tokens } = parts;
        const sessions = createSessions(parts, tokens);
        const refreshBy = createRefresh(parts, { sessions, tokens });
        const opened = await sessions.open(database().db, userId, "a browser");
        const caller = { userId, sessionId: opened.sessionId };
        const cookies = [opened.cookie];
        let model: Model = { alive: true, current: 0, previous: -1, rotatedAt: -1_000, seen: true };

        for (const one of steps) {
          if (one.kind === "wait") {
            seconds += one.seconds;
            continue;
          }
          const index = Math.max(0, cookies.length - 1 - one.which);
          const is = worth(model, index, seconds);
          if (one.kind === "use") {
            const token = await tokens.sign(caller, now());
            const read = await sessions.authenticate(token, cookies[index]);
            expect(read, JSON.stringify(steps)).to.deep.equal(is === "nothing" ? undefined : caller);
            model = { ...model, alive: is !== "nothing", seen: model.seen || is === "current" };
          } else {
            const answer = await refreshBy(cookies[index]);
            expect(answer !== undefined).to.equal(is !== "nothing");
            const keepsSecret = is === "grace" || (is === "current" && isJustReplaced(model, seconds));
            if (keepsSecret) expect(answer?.cookie).to.equal(null);
            if (is === "nothing") model = { ...model, alive: false };
            if (!keepsSecret && is !== "nothing") {
              cookies.push(answer?.cookie ?? "none");
              const current = cookies.length - 1;
              model = { alive: true, current, previous: index, rotatedAt: seconds, seen: false };
            }
          }
          expect(await sessions.isActive(opened.sessionId)).to.equal(model.alive);
        }
      }),
      {
        numRuns: 150,
        examples: [
          [[use(0), refresh(0), refresh(0), use(2)]],
          [[use(0), refresh(0), wait(5), refresh(0), use(2)]],
        ],
      },
    );
  });
});

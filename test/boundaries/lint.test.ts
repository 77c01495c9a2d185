import { expect } from "chai";
import { lint, plant, type Tree, type Verdict } from "./tree.ts";

const rx = (operator: string, code: string): string => `import { ${operator} } from "rxjs";\n${code}\n`;

const sound = {
  "core/masks/clean.ts": `import { debounceTime, ReplaySubject, shareReplay, timeout, timer } from "rxjs";
import type { Clock } from "../ports/clock.ts";
export const clean = (clock: Clock, scheduler: Clock["scheduler"]) => [
  new Date(clock.now()),
  timer(5, clock.scheduler),
  timer(5, 10, clock.scheduler),
  debounceTime(300, scheduler),
  timeout({ first: 15_000, scheduler: clock.scheduler }),
  shareReplay({ bufferSize: 1, refCount: true }),
  new ReplaySubject<number>(1),
  new ReplaySubject<number>(1, 5_000, clock),
];
`,
  "core/masks/ownWords.ts": `import { timeout } from "../kernel/failure.ts";
export const tooLate = timeout(15_000);
`,
  "core/masks/calls.ts": `import type { Call } from "../api/call.ts";
import { listMasks } from "./maskEndpoints.ts";
export const fetchMasks = (call: Call) => call(listMasks)();
`,
  "core/masks/sameDomain.ts": `import { type DomainName, isAtDomain, isSameDomain } from "../mail/domainName.ts";
export const isOurs = (domain: DomainName | null, maskDomain: DomainName, address: string) =>
  domain !== null && (isSameDomain(domain, maskDomain) || isAtDomain(address, maskDomain));
`,
  "core/masks/replacements.ts": `export const clean = (text: string, name: string) =>
  text.replace(/a/, "$&b").replaceAll("name", () => name).replace(/ /g, encodeURIComponent);
`,
};

const planted = {
  "core/masks/domains.ts":
    "export const isOurs = (domain: string, maskDomain: string) => domain === maskDomain;\n",
  "core/masks/domainOf.ts":
    'import { domainOf } from "../mail/emailAddress.ts";\nexport const isAt = (address: string, name: string) => domainOf(address).toLowerCase() !== name;\n',
  "core/masks/domainField.ts":
    "export const isAllowed = (token: { domain: string | null }, name: string) => name === token?.domain;\n",
  "core/masks/addresses.ts":
    "export const isOwn = (email: string, ownEmail: string) => email === ownEmail;\n",
  "core/masks/mailboxKeys.ts":
    'import { type MailboxKey, mailboxKey } from "../mail/emailAddress.ts";\nexport const isOwn = (key: MailboxKey, address: string) => key === mailboxKey(address);\n',
  "core/masks/now.ts": "export const now = () => Date.now();\n",
  "core/masks/handedOn.ts": "export const clock = { now: Date.now };\n",
  "core/masks/today.ts": "export const today = () => new Date();\n",
  "core/masks/todayText.ts": "export const today = () => Date();\n",
  "core/masks/dice.ts": "export const dice = () => Math.random();\n",
  "core/masks/throws.ts": 'export const refuse = () => {\n  throw new Error("no");\n};\n',
  "core/masks/asyncArrow.ts": "export const later = async () => 1;\n",
  "core/masks/asyncFunction.ts": "export async function later() {\n  return 1;\n}\n",
  "core/masks/asyncMethod.ts": "export const later = {\n  async run() {\n    return 1;\n  },\n};\n",
  "core/masks/then.ts": "export const later = (task: () => Promise<number>) => task().then((n) => n + 1);\n",
  "core/masks/finally.ts": "export const later = (task: () => Promise<number>) => task().finally(() => 1);\n",
  "core/masks/floating.ts": "export const write = (save: () => Promise<void>) => {\n  save();\n};\n",
  "core/masks/entered.ts":
    "export const later = (read: (id: string) => () => Promise<number>) => () => read('m1')();\n",
  "core/masks/timer.ts": rx("timer", "export const tick = timer(5_000);"),
  "core/masks/timerNow.ts": rx(
    "timer",
    "export const tick = (clock: { now: () => number }) => timer(clock.now(), 5_000);",
  ),
  "core/masks/interval.ts": rx("interval", "export const tick = interval(30_000);"),
  "core/masks/delay.ts": rx("delay", "export const later = delay(300);"),
  "core/masks/debounceTime.ts": rx("debounceTime", "export const later = debounceTime(300);"),
  "core/masks/throttleTime.ts": rx(
    "throttleTime",
    "export const later = throttleTime(300, undefined, { trailing: true });",
  ),
  "core/masks/auditTime.ts": rx("auditTime", "export const later = auditTime(300);"),
  "core/masks/sampleTime.ts": rx("sampleTime", "export const later = sampleTime(300);"),
  "core/masks/bufferTime.ts": rx("bufferTime", "export const later = bufferTime(300);"),
  "core/masks/timeout.ts": rx("timeout", "export const later = timeout({ first: 300 });"),
  "core/masks/replayWindow.ts": rx(
    "shareReplay",
    "export const later = shareReplay({ bufferSize: 1, windowTime: 300 });",
  ),
  "core/masks/replaySubject.ts": rx(
    "ReplaySubject",
    "export const later = new ReplaySubject<number>(1, 300);",
  ),
  "core/masks/asap.ts": rx("asapScheduler", "export const soon = asapScheduler;"),
  "core/masks/renamed.ts": rx("delay as pause", "export const later = pause(300);"),
  "core/masks/everything.ts": 'import * as rx from "rxjs";\nexport const later = rx.delay(300);\n',
  "core/masks/replace.ts":
    'export const named = (text: string, name: string) => text.replace("name", name);\n',
  "core/masks/replaceAll.ts":
    "export const named = (text: string, name: string) => text.replaceAll(/name/g, name.trim());\n",
  "core/masks/replaceMaybe.ts":
    'export const named = (name: string, text?: string) => text?.replace("name", name);\n',
};

describe("Code that reads the clock, uses random numbers, throws, waits for no promise, runs a task inside, replaces by patterns or compares domains or addresses as text is refused with advice", () => {
  let tree: Tree;
  let verdict: Verdict;

  before(async () => {
    tree = plant({ ...sound, ...planted });
    verdict = await lint(tree.path, "core");
  });

  after(() => tree.remove());

  const refuses = (what: string, file: keyof typeof planted, advice: string): void => {
    it(what, () => {
      const refusals = verdict.output.split(/^(?=core\/)/m).filter((text) => text.startsWith(`${file}:`));
      expect(refusals.join(""), verdict.output.slice(0, 4_000)).to.include(advice);
      expect(verdict.passed).to.equal(false);
    });
  };

  const clock = "use clock.now()";
  const scheduler = "Pass clock.scheduler";

  refuses("Date.now()", "core/masks/now.ts", clock);
  refuses("Date.now passed as a function", "core/masks/handedOn.ts", clock);
  refuses("new Date() without an argument", "core/masks/today.ts", clock);
  refuses("Date() called", "core/masks/todayText.ts", clock);
  refuses("Math.random()", "core/masks/dice.ts", "Take the random port");
  refuses("throw", "core/masks/throws.ts", "Return a Failure");
  refuses("an async arrow function", "core/masks/asyncArrow.ts", "Use TaskEither");
  refuses("an async function", "core/masks/asyncFunction.ts", "Use TaskEither");
  refuses("an async method", "core/masks/asyncMethod.ts", "Use TaskEither");
  refuses("then on a promise", "core/masks/then.ts", "composes tasks");
  refuses("finally on a promise", "core/masks/finally.ts", "composes tasks");
  refuses("a task that is built and run at once", "core/masks/entered.ts", "composes tasks");
  refuses("a promise that nothing waits for", "core/masks/floating.ts", "Promise is not awaited");
  refuses("a timer without a scheduler", "core/masks/timer.ts", scheduler);
  refuses("a timer with clock.now() but no scheduler", "core/masks/timerNow.ts", scheduler);
  refuses("an interval without a scheduler", "core/masks/interval.ts", scheduler);
  refuses("delay without a scheduler", "core/masks/delay.ts", scheduler);
  refuses("debounceTime without a scheduler", "core/masks/debounceTime.ts", scheduler);
  refuses("throttleTime without a scheduler", "core/masks/throttleTime.ts", scheduler);
  refuses("auditTime without a scheduler", "core/masks/auditTime.ts", scheduler);
  refuses("sampleTime without a scheduler", "core/masks/sampleTime.ts", scheduler);
  refuses("bufferTime without a scheduler", "core/masks/bufferTime.ts", scheduler);
  refuses("timeout without a scheduler", "core/masks/timeout.ts", scheduler);
  refuses("a replay window without a scheduler", "core/masks/replayWindow.ts", "scheduler: clock.scheduler");
  refuses("a replay window without a clock", "core/masks/replaySubject.ts", "Pass the clock port");
  refuses("rxjs's own schedulers", "core/masks/asap.ts", "Use clock.scheduler");
  refuses("a timed operator under another name", "core/masks/renamed.ts", "under their own name");
  refuses("a namespace import of rxjs", "core/masks/everything.ts", "by name");
  refuses("a replacement that somebody else wrote", "core/masks/replace.ts", "Pass a function");
  refuses("a replacement that contains such a text", "core/masks/replaceAll.ts", "Pass a function");
  refuses("a replacement in a text that may be missing", "core/masks/replaceMaybe.ts", "Pass a function");

  const spellings = "A domain has many spellings";
  refuses("two domains compared as text", "core/masks/domains.ts", spellings);
  refuses("the domain of an address compared as text", "core/masks/domainOf.ts", spellings);
  refuses("the domain of a token compared as text", "core/masks/domainField.ts", spellings);

  const addresses = "An address has many spellings";
  refuses("two addresses compared as text", "core/masks/addresses.ts", addresses);
  refuses("the key of a mailbox compared with that of a row", "core/masks/mailboxKeys.ts", addresses);

  it("accepts the same operations through the ports", () => {
    const accused = Object.keys(sound).filter((file) => verdict.output.includes(`${file}:`));
    expect(accused).to.deep.equal([]);
  });
});

const patient = {
  "test/masks/waits.test.ts": `import { setImmediate as turn } from "node:timers/promises";
import { useFakeTimers } from "sinon";
import { failures } from "../core/failures.ts";
import { longTestMs } from "../support/limits.ts";
import { until } from "../support/until.ts";
it("waits for what it means", async function () {
  this.timeout(longTestMs);
  const timers = useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await turn();
  await until("it is there", () => true);
  await page.getByText("Saved").waitFor({ timeout: longTestMs });
  timers.restore();
  return failures.timeout(15_000);
}).timeout(longTestMs);
`,
  "test/support/until.ts": `import { setTimeout as sleep } from "node:timers/promises";
export const until = async (_what: string, holds: () => boolean) => {
  while (!holds()) await sleep(5);
};
`,
  "test/server/support/limits.ts": "export const limits = { timeout: 5_000 };\n",
};

const impatient = {
  "test/masks/promise.test.ts":
    "export const wait = () => new Promise((resolve) => setTimeout(resolve, 50));\n",
  "test/masks/sleep.test.ts": "export const wait = () => sleep(50);\n",
  "test/masks/imported.test.ts":
    'import { setTimeout as pause } from "node:timers/promises";\nexport const wait = () => pause(50);\n',
  "test/masks/namespace.test.ts":
    'import * as timers from "node:timers/promises";\nexport const wait = () => timers.setTimeout(50);\n',
  "test/masks/window.test.tsx": "export const wait = (done: () => void) => window.setTimeout(done, 50);\n",
  "test/masks/interval.test.ts": "export const poll = (done: () => void) => setInterval(done, 50);\n",
  "test/masks/page.test.ts": "export const wait = (page: Page) => page.waitForTimeout(50);\n",
  "test/masks/limit.test.ts": 'it("is slow", function () {\n  this.timeout(5_000);\n});\n',
  "test/masks/limitOfTest.test.ts": 'it("is slow", () => {}).timeout(5_000);\n',
  "test/masks/option.test.ts":
    "export const shown = (page: Page) => page.waitFor({ timeout: 5_000, state: null });\n",
};

describe("A test that waits for real time, or has a limit without a name, is refused with advice", () => {
  let tree: Tree;
  let verdict: Verdict;

  before(async () => {
    tree = plant({ ...patient, ...impatient });
    verdict = await lint(tree.path, "test");
  });

  after(() => tree.remove());

  const refuses = (what: string, file: keyof typeof impatient, advice: string): void => {
    it(what, () => {
      const refusals = verdict.output.split(/^(?=test\/)/m).filter((text) => text.startsWith(`${file}:`));
      expect(refusals.join(""), verdict.output.slice(0, 4_000)).to.include(advice);
      expect(verdict.passed).to.equal(false);
    });
  };

  const wait = "A test does not wait for real time";
  const limit = "A limit has a name";

  refuses("a promise that a timer resolves", "test/masks/promise.test.ts", wait);
  refuses("a sleep", "test/masks/sleep.test.ts", wait);
  refuses("a sleep imported under another name", "test/masks/imported.test.ts", wait);
  refuses("a sleep of a namespace", "test/masks/namespace.test.ts", wait);
  refuses("a timer of the window", "test/masks/window.test.tsx", wait);
  refuses("an interval", "test/masks/interval.test.ts", wait);
  refuses("a page that waits", "test/masks/page.test.ts", wait);
  refuses("a limit of a test", "test/masks/limit.test.ts", limit);
  refuses("a limit beside a test", "test/masks/limitOfTest.test.ts", limit);
  refuses("a limit among options", "test/masks/option.test.ts", limit);

  it("accepts virtual time, named limits, and waits in support folders", () => {
    const accused = Object.keys(patient).filter((file) => verdict.output.includes(`${file}:`));
    expect(accused).to.deep.equal([]);
  });
});

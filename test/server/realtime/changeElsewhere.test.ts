import { expect } from "chai";
import { createVirtualClock, type VirtualClock } from "../../fakes/virtualClock.ts";
import { openShell, type Shell } from "../support/shell.ts";
import { startServer, type TestServer } from "../support/startServer.ts";
import { untilBy, until as untilHolds } from "../support/until.ts";

describe("A mask that is changed on another device", () => {
  let server: TestServer;
  let shells: readonly Shell[] = [];
  let clock: VirtualClock;
  let until: typeof untilHolds;

  beforeEach(async () => {
    server = await startServer();
    clock = createVirtualClock(server.clock.now());
    until = untilBy(clock, 20);
  });
  afterEach(async () => {
    for (const { stop } of shells) stop();
    await server.stop();
  });

  const codeOf = async (email: string): Promise<string> => {
    const code = async (): Promise<string | undefined> =>
      /\d{6}/.exec((await server.mails(email)).at(-1)?.text ?? "")?.[0];
    await until("the code was mailed", async () => (await code()) !== undefined);
    return (await code()) ?? "";
  };
  const maskOf = (shell: Shell) => shell.signedIn().masks.view$.value.all[0];

  it("appears with the usage of the account, without a request", async () => {
    const open = () => openShell(server.origin, clock, until);
    const [phone, desk] = [open(), open()];
    shells = [phone, desk];
    await phone.signUp("owner@example.org", codeOf);
    server.clock.advance(120_000);
    await desk.signIn("owner@example.org", codeOf);
    for (const shell of shells) {
      shell.signedIn().account.watch();
      await until("it is connected", () => shell.signedIn().realtime.state$.value === "connected");
      await until("the masks are there", () => shell.signedIn().masks.view$.value.status === "ready");
      await until("the list is there", () => shell.signedIn().notifications.view$.value.status === "ready");
    }
    /** The number of its requests once all are answered, and no more follow in some seconds. */
    const requestsAtRest = async (): Promise<number> => {
      let count = -1;
      await untilHolds("nothing more is loaded", async () => {
        const isQuiet = desk.requests.length === count && desk.unanswered() === 0;
        count = desk.requests.length;
        if (desk.unanswered() === 0) await clock.advance(1_500);
        return isQuiet;
      });
      return count;
    };
    const before = await requestsAtRest();
    const draft = {
      description: "Shop",
      forwardTo: "owner@example.org",
      spamFilter: false,
      labels: [],
      note: "",
      acceptUnproven: false,
      customPrefix: "",
    };
    await phone.signedIn().masks.create(draft)();
    await until("the new mask is shown", () => maskOf(desk)?.description === "Shop");
    const id = maskOf(desk)?.id ?? "";
    await phone.signedIn().masks.setActive(id, false)();
    await until("it is shown as switched off", () => maskOf(desk)?.active === false);
    await until(
      "the account counts it",
      () => desk.signedIn().account.account$.value?.usage?.masks.total === 1,
    );
    await phone.signedIn().masks.remove(id)();
    await until("it is gone", () => maskOf(desk) === undefined);
    await requestsAtRest();
    expect(desk.requests.slice(before)).to.deep.equal([]);
  });
});

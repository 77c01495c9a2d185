import { filter, map, Subject, type Subscription } from "rxjs";
import { createState, type WritableState } from "../../core/kernel/state.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Tabs } from "../../core/ports/tabs.ts";

export interface FakeTabs extends Tabs {
  readonly visible$: WritableState<boolean>;
  /** Another tab of the same browser. */
  readonly openTab: () => FakeTabs;
}

interface ChannelMessage {
  readonly by: symbol;
  readonly channel: string;
  readonly text: string;
}

interface Waiting {
  readonly begin: () => void;
}

interface Turn {
  readonly tab: symbol;
}

interface SharedBrowser {
  readonly clock: Clock;
  readonly messages$: Subject<ChannelMessage>;
  readonly turns: Map<string, Turn>;
  readonly queues: Map<string, Waiting[]>;
}

const queueOf = ({ queues }: SharedBrowser, name: string): Waiting[] => {
  const queue = queues.get(name) ?? [];
  queues.set(name, queue);
  return queue;
};

const tabIn = (browser: SharedBrowser): FakeTabs => {
  const { clock, messages$, turns } = browser;
  const me = Symbol("tab");

  const run = <A>(name: string, work: () => Promise<A>): Promise<A> => {
    const turn: Turn = { tab: me };
    turns.set(name, turn);
    return work().finally(() => {
      if (turns.get(name) !== turn) return;
      turns.delete(name);
      queueOf(browser, name).shift()?.begin();
    });
  };
  const inTurn = <A>(name: string, waitAtMostMs: number, work: () => Promise<A>): Promise<A> =>
    new Promise((resolve, reject) => {
      const queue = queueOf(browser, name);
      let waitLimit: Subscription;
      const begin = (): void => {
        waitLimit.unsubscribe();
        run(name, work).then(resolve, reject);
      };
      const waiting: Waiting = { begin };
      const lookAgain = (): void => {
        const before = turns.get(name)?.tab;
        waitLimit = clock.scheduler.schedule(() => {
          if (turns.get(name)?.tab !== before) return lookAgain();
          queue.splice(queue.indexOf(waiting), 1);
          begin();
        }, waitAtMostMs);
      };
      queue.push(waiting);
      lookAgain();
    });
  return {
    runExclusive: (name, { maxWaitMs }, work) =>
      turns.has(name) ? inTurn(name, maxWaitMs, () => work(true)) : run(name, () => work(false)),
    broadcast: (channel, text) => messages$.next({ by: me, channel, text }),
    messages: (channel) =>
      messages$.pipe(
        filter((messages) => messages.by !== me && messages.channel === channel),
        map(({ text }) => text),
      ),
    visible$: createState(true),
    openTab: () => tabIn(browser),
  };
};

/** A browser with one tab, from which others can be opened. */
export const createFakeTabs = (clock: Clock): FakeTabs =>
  tabIn({ clock, messages$: new Subject(), turns: new Map(), queues: new Map() });

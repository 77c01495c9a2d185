import { loadRe2Patterns } from "../../adapters/re2/re2Patterns.ts";
import { makeState, type WritableState } from "../../core/kernel/state.ts";
import type { Http } from "../../core/ports/http.ts";
import type { Ports } from "../../core/ports/ports.ts";
import { type FakeHttp, makeFakeHttp } from "./fakeHttp.ts";
import { type FakeKeyring, makeFakeKeyring } from "./fakeKeyring.ts";
import { type FakePage, makeFakePage } from "./fakePage.ts";
import { type FakePaymentForms, makeFakePaymentForms } from "./fakePaymentForms.ts";
import { fakeQrCode } from "./fakeQrCode.ts";
import { type FakeReporter, makeFakeReporter } from "./fakeReporter.ts";
import { type FakeSocket, makeFakeSocket } from "./fakeSocket.ts";
import { type FakeTabs, makeFakeTabs } from "./fakeTabs.ts";
import { type FakeTelemetry, makeFakeTelemetry } from "./fakeTelemetry.ts";
import { type MemoryStorage, makeMemoryStorage } from "./memoryStorage.ts";
import { makeSeededRandom } from "./seededRandom.ts";
import { makeVirtualClock, type VirtualClock } from "./virtualClock.ts";

/** A whole environment, and the hands to move it with. */
export interface FakePorts {
  readonly ports: Ports;
  readonly clock: VirtualClock;
  readonly server: FakeHttp;
  readonly sockets: FakeSocket;
  readonly storage: MemoryStorage;
  readonly page: FakePage;
  readonly reporter: FakeReporter;
  readonly online$: WritableState<boolean>;
  readonly tabs: FakeTabs;
  readonly telemetry: FakeTelemetry;
  readonly paymentForms: FakePaymentForms;
  readonly keys: FakeKeyring;
}

export interface FakeSurroundings {
  readonly path?: string;
  readonly storage?: MemoryStorage;
  readonly clock?: VirtualClock;
  readonly server?: FakeHttp;
  readonly tabs?: FakeTabs;
  readonly online$?: WritableState<boolean>;
  readonly keys?: FakeKeyring;
  /** Stands between this tab and the server. */
  readonly wire?: (http: Http) => Http;
  /** Which chances come up. */
  readonly seed?: number;
}

export const makeFakePorts = (surroundings: FakeSurroundings = {}): FakePorts => {
  const clock = surroundings.clock ?? makeVirtualClock();
  const server = surroundings.server ?? makeFakeHttp(clock);
  const sockets = makeFakeSocket();
  const storage = surroundings.storage ?? makeMemoryStorage();
  const page = makeFakePage(surroundings.path);
  const reporter = makeFakeReporter();
  const online$ = surroundings.online$ ?? makeState(true);
  const { wire = (http) => http } = surroundings;
  const tabs = surroundings.tabs ?? makeFakeTabs(clock);
  const telemetry = makeFakeTelemetry();
  const paymentForms = makeFakePaymentForms();
  const keys = surroundings.keys ?? makeFakeKeyring();
  const ports: Ports = {
    http: wire(server.http),
    socket: sockets.socket,
    storage,
    clock,
    random: makeSeededRandom(surroundings.seed),
    connectivity: { online$ },
    page,
    reporter,
    tabs,
    telemetry,
    patterns: loadRe2Patterns,
    qrCode: fakeQrCode,
    paymentForms: paymentForms.forms,
    keyring: keys.keyring,
  };
  return {
    ports,
    clock,
    server,
    sockets,
    storage,
    page,
    reporter,
    online$,
    tabs,
    telemetry,
    paymentForms,
    keys,
  };
};

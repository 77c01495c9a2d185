import { loadRe2Patterns } from "../../adapters/re2/re2Patterns.ts";
import { createState, type WritableState } from "../../core/kernel/state.ts";
import type { Http } from "../../core/ports/http.ts";
import type { Ports } from "../../core/ports/ports.ts";
import { createFakeAuthenticator, type FakeAuthenticator } from "./fakeAuthenticator.ts";
import { createFakeHttp, type FakeHttp } from "./fakeHttp.ts";
import { createFakeKeyring, type FakeKeyring } from "./fakeKeyring.ts";
import { createFakePage, type FakePage } from "./fakePage.ts";
import { createFakePaymentForms, type FakePaymentForms } from "./fakePaymentForms.ts";
import { fakeQrCode } from "./fakeQrCode.ts";
import { createFakeReporter, type FakeReporter } from "./fakeReporter.ts";
import { createFakeSocket, type FakeSocket } from "./fakeSocket.ts";
import { createFakeTabs, type FakeTabs } from "./fakeTabs.ts";
import { createFakeTelemetry, type FakeTelemetry } from "./fakeTelemetry.ts";
import { createMemoryStorage, type MemoryStorage } from "./memoryStorage.ts";
import { createSeededRandom } from "./seededRandom.ts";
import { createVirtualClock, type VirtualClock } from "./virtualClock.ts";

/** A fake for every port, with what a test needs to control them. */
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
  readonly authenticator: FakeAuthenticator;
}

export interface FakePortOptions {
  readonly path?: string;
  readonly storage?: MemoryStorage;
  readonly clock?: VirtualClock;
  readonly server?: FakeHttp;
  readonly tabs?: FakeTabs;
  readonly online$?: WritableState<boolean>;
  readonly keys?: FakeKeyring;
  /** An HTTP layer between this tab and the server. */
  readonly wire?: (http: Http) => Http;
  /** The seed of the random source. */
  readonly seed?: number;
}

export const createFakePorts = (options: FakePortOptions = {}): FakePorts => {
  const clock = options.clock ?? createVirtualClock();
  const server = options.server ?? createFakeHttp(clock);
  const sockets = createFakeSocket();
  const storage = options.storage ?? createMemoryStorage();
  const page = createFakePage(options.path);
  const reporter = createFakeReporter();
  const online$ = options.online$ ?? createState(true);
  const { wire = (http) => http } = options;
  const tabs = options.tabs ?? createFakeTabs(clock);
  const telemetry = createFakeTelemetry();
  const paymentForms = createFakePaymentForms();
  const keys = options.keys ?? createFakeKeyring();
  const authenticator = createFakeAuthenticator();
  const ports: Ports = {
    http: wire(server.http),
    socket: sockets.socket,
    storage,
    clock,
    random: createSeededRandom(options.seed),
    connectivity: { online$ },
    page,
    reporter,
    tabs,
    telemetry,
    patterns: loadRe2Patterns,
    qrCode: fakeQrCode,
    paymentForms: paymentForms.forms,
    keyring: keys.keyring,
    authenticator: authenticator.authenticator,
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
    authenticator,
  };
};

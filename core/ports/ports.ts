import type { Authenticator } from "./authenticator.ts";
import type { Clock } from "./clock.ts";
import type { Connectivity } from "./connectivity.ts";
import type { Http } from "./http.ts";
import type { Keyring } from "./keyring.ts";
import type { Page } from "./page.ts";
import type { LoadPatterns } from "./patterns.ts";
import type { PaymentForms } from "./paymentForms.ts";
import type { WriteQrCode } from "./qrCode.ts";
import type { Random } from "./random.ts";
import type { Reporter } from "./reporter.ts";
import type { Socket } from "./socket.ts";
import type { Storage } from "./storage.ts";
import type { Tabs } from "./tabs.ts";
import type { Telemetry } from "./telemetry.ts";

/** The interfaces through which core uses its environment. A shell implements each one. */
export interface Ports {
  readonly http: Http;
  readonly socket: Socket;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly connectivity: Connectivity;
  readonly page: Page;
  readonly reporter: Reporter;
  readonly tabs: Tabs;
  readonly telemetry: Telemetry;
  readonly patterns: LoadPatterns;
  readonly qrCode: WriteQrCode;
  readonly paymentForms: PaymentForms;
  readonly keyring: Keyring;
  readonly authenticator: Authenticator;
}

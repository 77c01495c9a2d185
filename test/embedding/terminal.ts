import { createInterface } from "node:readline/promises";
import { terminalPorts } from "../../adapters/node/terminalPorts.ts";
import { cryptoRandom } from "../../adapters/system/cryptoRandom.ts";
import { fetchHttp } from "../../adapters/system/fetchHttp.ts";
import { systemClock } from "../../adapters/system/systemClock.ts";
import { makeApp } from "../../core/app.ts";

const [baseAddress = "http://127.0.0.1:3000", email = ""] = process.argv.slice(2);
const ports = terminalPorts({ http: fetchHttp, clock: systemClock, random: cryptoRandom });
const app = makeApp(ports, { baseAddress, configuration: { brand: "Bauta", maskDomain: "masks.localhost" } });
const stop = app.start();
app.masks.view$.subscribe(({ all }) => all.map(({ maskEmail }) => console.log(maskEmail)));
await app.signIn.requestCode(email)();
const terminal = createInterface(process.stdin);
for await (const line of terminal) if (app.signIn.step$.value.step === "code") await app.signIn.verifyCode(line)();
stop();

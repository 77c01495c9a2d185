import { once } from "node:events";
import { createInterface } from "node:readline";
import { terminalPorts } from "../../adapters/node/terminalPorts.ts";
import { cryptoRandom } from "../../adapters/system/cryptoRandom.ts";
import { fetchHttp } from "../../adapters/system/fetchHttp.ts";
import { systemClock } from "../../adapters/system/systemClock.ts";
import { makeApp } from "../../core/app.ts";

const [baseAddress = "http://127.0.0.1:3000", email = ""] = process.argv.slice(2);
const ports = terminalPorts({ http: fetchHttp, clock: systemClock, random: cryptoRandom });
const app = makeApp(ports, { baseAddress, configuration: { brand: "Bauta", maskDomain: "masks.localhost" } });
const stop = app.start();
await app.signIn.requestCode(email)();
const [code] = await once(createInterface(process.stdin), "line");
await app.signIn.verifyCode(code)();
await app.masks.refresh()();
for (const { maskEmail } of app.masks.view$.value.all) console.log(maskEmail);
stop();
process.exit();

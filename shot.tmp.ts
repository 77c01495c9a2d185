import { chromium } from "playwright-core";
import { cpSync, readFileSync, writeFileSync, rmSync } from "node:fs";
import { startServer } from "./test/e2e/support/server.ts";
import { createAccount } from "./test/e2e/support/visitor.ts";
const server = await startServer();
console.log(server.url);

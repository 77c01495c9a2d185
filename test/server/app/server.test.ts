import { expect } from "chai";
import { greeting } from "../../../server/app/greeting.ts";
import { readConfig } from "../../../server/platform/config/config.ts";

const outboxLine = (environment: NodeJS.ProcessEnv): string =>
  /^ {2}(?:Outbox|Out) +(\S+)/m.exec(greeting(readConfig({ DATA_DIR: "/srv/bauta", ...environment })))?.[1] ??
  "";

describe("the message at the start", () => {
  it("names an outbox page only where there is one: at this machine", () => {
    expect(outboxLine({})).to.equal("http://127.0.0.1:3000/outbox");
    expect(outboxLine({ HOST: "0.0.0.0" })).to.equal("http://127.0.0.1:3000/outbox");
    expect(outboxLine({ HOST: "::1" })).to.equal("http://[::1]:3000/outbox");
  });

  it("names the folder where the app is public", () => {
    expect(outboxLine({ PUBLIC_URL: "https://mail.example.org" })).to.equal("/srv/bauta/outbox");
    expect(outboxLine({ HOST: "192.0.2.1" })).to.equal("/srv/bauta/outbox");
  });

  it("names the next hop without its password", () => {
    const NEXT_HOP = "smtps://me:hunter2@mail.example.org";
    expect(outboxLine({ NEXT_HOP })).to.equal("mail.example.org:465");
    expect(greeting(readConfig({ NEXT_HOP }))).not.to.contain("hunter2");
  });

  it("says where mail is taken", () => {
    expect(greeting(readConfig({ SMTP_HOST: "0.0.0.0", SMTP_PORT: "25" }))).to.contain("SMTP    0.0.0.0:25,");
  });
});

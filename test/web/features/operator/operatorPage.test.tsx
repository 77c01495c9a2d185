import "../../../support/dom.ts";
// Lazily loaded by the app; imported here so that loading it takes no time in the test.
import "../../../../web/features/operator/OperatorPage.tsx";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createCheck, createChecks, createOverview } from "../../../fakes/productOperator.ts";
import { createUser } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages } from "../../support/openPage.tsx";
import { openTab } from "../../support/openTab.ts";
import { shownTab } from "../../support/tabLink.ts";

type Before = NonNullable<NonNullable<Parameters<typeof openTab>[1]>["before"]>;

const operator = { ...createUser("ada@example.org"), isOperator: true };

const openOperator = async (prepare: Before = () => {}) => {
  const page = await openTab("Account", {
    before: (fakes) => {
      fakes.server.on("GET", "/account", { json: operator });
      fakes.server.on("GET", "/operator", { json: createOverview() });
      fakes.server.on("GET", "/operator/checks", {
        json: createChecks([createCheck("MX"), createCheck("SPF", "problem")]),
      });
      prepare(fakes);
    },
  });
  await page.user.click(screen.getByRole("link", { name: "Open the operator's page" }));
  await page.act(() => {});
  return page;
};
const region = (name: string) => within(screen.getByRole("region", { name }));

describe("The operator's page", () => {
  useDom();
  afterEach(closePages);

  it("is offered to operators only, on the Account tab", async () => {
    await openTab("Account");
    expect(screen.queryByRole("button", { name: /operator/i })).to.equal(null);
    closePages();
    await openOperator();
    const heading = screen.getByRole("heading", { level: 1, name: "Operator" });
    expect(document.activeElement).to.equal(heading);
    expect(document.title).to.equal("Operator · Bauta");
    expect(shownTab()).to.equal("Account");
  });

  it("shows health, queue, mail, users and version", async () => {
    await openOperator();
    region("Health").getByText("Not ready");
    region("Health").getByText("The disk is full.");
    region("Queue").getByText("The oldest waiting mail: 2 hours ago.");
    expect(region("Queue").getByText("Deferred").nextElementSibling?.textContent).to.equal("3");
    const slowest = within(region("Queue").getByRole("list", { name: "Slowest domains" }));
    expect(slowest.getAllByRole("listitem").map((item) => item.textContent)).to.deep.equal([
      "slow.example3 waiting, 2 hours ago, answer 451 4.7.1",
      "dead.example1 waiting, 1 hour ago, no answer",
    ]);
    const cells = region("Mail").getAllByRole("cell");
    expect(cells.map((cell) => cell.textContent)).to.deep.equal(
      ["1,200", "1,180", "40", "25"].concat(["900", "900", "0", "0"]),
    );
    region("Users").getByText("7 in all");
    region("Open sessions").getByText("13 in all");
    region("Open sessions").getByText("By single sign-on");
    region("Version").getByText("Masks: addresses that forward.");
  });

  it("says why a large provider defers mail, what to do, and when it is tried again", async () => {
    await openOperator();
    const [gmail, icloud] = region("Large providers")
      .getAllByRole("listitem")
      .map((item) => item.textContent);
    expect(gmail).to.match(
      /^Gmail and Google Workspacelast accepted mail 2 hours ago, at most 20 mails an hour today, twice as many each day/,
    );
    expect(gmail).to.contain("Answered 1 hour ago: 421 4.7.28 Gmail has detected an unusual rate of mail");
    expect(gmail).to.contain("more mail than the provider accepts");
    expect(gmail).to.match(/Next attempt at \d+[:.]\d+.*Paused$/);
    expect(icloud).to.equal("iCloudlast accepted mail 1 hour ago, no limitAccepting mail");
  });

  it("says which receivers refuse what, and why", async () => {
    await openOperator();
    const part = region("Reports of receivers");
    expect(part.getByText("Passed").nextElementSibling?.textContent).to.equal("990");
    const failed = within(part.getByRole("list", { name: "What failed" }))
      .getAllByRole("listitem")
      .map((item) => item.textContent);
    expect(failed[0]).to.match(
      /^google\.com2 of masks\.example from this server, 203\.0\.113\.9The receiver refused/,
    );
    expect(failed[0]).to.contain("although this server sent it");
    expect(part.getByText("bauta doctor").tagName).to.equal("CODE");
    expect(failed[1]).to.match(
      /^Outlook\.com \(unproven\)8 of masks\.example from 198\.51\.100\.7Another server/,
    );
    expect(failed[2]).to.equal(
      "Google Inc.3 connections to masks.example: certificate-expiredThe certificate of this server had expired: check why it was not renewed.",
    );
  });

  it("lists checks that need something first, with what to do, and says that DNS is asked again", async () => {
    await openOperator();
    const dns = region("DNS records");
    dns.getByText("1 of 2 in order");
    dns.getByText(/looked up again every 15 seconds/);
    expect(dns.getAllByRole("listitem").map((item) => item.textContent)).to.deep.equal([
      "SPFmissingCreate the record SPF.Problem",
      "MXas it should beOK",
    ]);
  });

  it("shows that a record has arrived without a press", async () => {
    const page = await openOperator();
    page.server.on("GET", "/operator/checks", { json: createChecks([createCheck("MX")]) });
    await page.advance(15_000);
    region("DNS records").getByText("1 of 1 in order");
    expect(screen.queryByText(/asked for again/)).to.equal(null);
  });

  it("says what an installed version changes, when the server has to be restarted for it", async () => {
    const version = {
      running: "0.1.0",
      installed: "0.2.0",
      changes: [{ version: "0.2.0", entries: ["News."] }],
    };
    await openOperator((fakes) => fakes.server.on("GET", "/operator", { json: createOverview({ version }) }));
    const part = region("Version");
    part.getByText("0.1.0, restart for 0.2.0");
    part.getByText("What 0.2.0 changes (1)");
    part.getByText("A newer version is installed. It runs after a restart.");
    closePages();
    await openOperator();
    region("Version").getByText(/^The installed version is running\./);
  });

  it("has texts for a server without mail and records", async () => {
    await openOperator((fakes) => {
      const receiverReports = {
        dmarc: { reports: 0, mails: 0, passed: 0, failed: [] },
        tls: { reports: 0, connections: 0, failed: 0, failures: [] },
      };
      const queue = { waiting: 0, deferred: 0, oldest: null, failed: 0, slowest: [] };
      fakes.server.on("GET", "/operator", {
        json: createOverview({ queue, mail: [], providers: [], receiverReports }),
      });
      fakes.server.on("GET", "/operator/checks", { json: createChecks([]) });
    });
    region("Queue").getByText("No mail is waiting to be sent.");
    expect(region("Queue").queryByText("Slowest domains")).to.equal(null);
    region("Reports of receivers").getByText(/No reports yet/);
    region("Large providers").getByText("No mail has gone to a large provider directly.");
    region("Mail").getByText("No mail has arrived today or yesterday.");
    region("DNS records").getByText(/needs no DNS records/);
  });

  it("says why figures are missing, and loads them on a press", async () => {
    const page = await openOperator((fakes) =>
      fakes.server.on("GET", "/operator", { status: 403, json: { message: "This page is for others." } }),
    );
    expect(screen.getByRole("alert").textContent).to.contain("This page is for others.");
    page.server.on("GET", "/operator", { json: createOverview() });
    await page.press("Refresh");
    region("Health");
    expect(screen.queryByRole("alert")).to.equal(null);
  });
});

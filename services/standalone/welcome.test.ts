import { expect, it } from "vitest";
import type { Demo } from "./seed/demo.ts";
import { welcomeLines } from "./welcome.ts";

const HERE = { host: "127.0.0.1", port: 8080, stripe: null, smtpUrl: undefined, dataDir: "/srv/placard" };
const LOCAL = { ...HERE, publicUrl: new URL("http://127.0.0.1:8080") };
const PUBLIC = { ...HERE, publicUrl: new URL("https://ads.example.com") };
const SIGN_IN = { email: "demo@publisher.invalid", password: "k7mw-q3tz-x9ra-b2cd" };

function aDemo(differences: Partial<Demo> = {}): Demo {
  return { workspaceId: "ws_1", adId: "ad_1", key: null, signIn: SIGN_IN, ...differences };
}

it.each([
  ["at the first start", LOCAL, aDemo({ key: "plc_1" }), true],
  ["at a later start on this machine", LOCAL, aDemo(), true],
  ["at the first start where others get to", PUBLIC, aDemo({ key: "plc_1" }), true],
  ["at a later start where others get to", PUBLIC, aDemo(), false],
])("shows the demo's password, or not, %s", (_when, configuration, demo, isShown) => {
  const welcome = welcomeLines(configuration, { demo, setUpLink: null }).join("\n");

  expect(welcome).toContain(`Sign in     ${SIGN_IN.email}`);
  expect(welcome.includes(SIGN_IN.password)).toBe(isShown);
});

it("says nothing of a sign-in that is good no more, or where there is no demo", () => {
  const changed = welcomeLines(LOCAL, { demo: aDemo({ signIn: null }), setUpLink: null });
  const none = welcomeLines(LOCAL, { demo: null, setUpLink: null });

  expect([...changed, ...none].join("\n")).not.toContain("Sign in");
});

it("shows the link that creates the first account, where somebody has to", () => {
  const setUpLink = "https://ads.example.com/sign-up#token=x";

  expect(welcomeLines(PUBLIC, { demo: null, setUpLink })).toContain(`  ${setUpLink}`);
});

it("says where it listens behind a proxy, and where mails are that are not sent", () => {
  const lines = (configuration: Parameters<typeof welcomeLines>[0]) =>
    welcomeLines(configuration, { demo: null, setUpLink: null });

  expect(lines(PUBLIC)).toContain("  Listens on  127.0.0.1:8080");
  expect(lines(LOCAL).join("\n")).not.toContain("Listens on");
  expect(lines(LOCAL)).toContain("  Mail        not sent, see /srv/placard/outbox: set SMTP_URL");
  expect(lines({ ...LOCAL, smtpUrl: "smtp://mail.example.com" }).join("\n")).not.toContain("Mail");
});

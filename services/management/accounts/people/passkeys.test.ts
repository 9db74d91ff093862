import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { ApiCaller } from "../../tests/callers.ts";
import { mailTo } from "../../tests/joining.ts";
import { startManagement } from "../../tests/management.ts";
import { cookiesOf, isSignedIn, PASSWORD, type SignedIn, switchTwoFactorOn } from "../../tests/signing-in.ts";
import { SoftwareKey } from "../../tests/software-key.ts";
import { aPerson } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true });
/** Browsers take no IP address for passkeys. */
const origin = service.origin.replace("127.0.0.1", "localhost");
const MINUTE_MS = 60_000;
const challenged = z.object({ challenge: z.string() });
const listed = z.array(z.object({ id: z.string(), name: z.string() }));

afterEach(() => void vi.useRealTimers());

/** Asks for a challenge; `cookie` has what has to come back with the answer. */
async function challengeOf(path: string, cookie: string) {
  const caller = new ApiCaller(service.origin, { cookie });
  const { status, text, headers } = await caller.request("GET", `/api/auth/passkey/${path}`);
  const body: unknown = JSON.parse(text);
  return {
    status,
    body,
    challenge: status === 200 ? challenged.parse(body).challenge : "",
    cookie: [cookie, cookiesOf(headers)].filter((one) => one !== "").join("; "),
  };
}

async function register(
  person: SignedIn,
  key: SoftwareKey,
  name = "Laptop",
  attestation: "none" | "self" | Buffer = "none",
) {
  const { challenge, cookie } = await challengeOf("generate-register-options", person.cookie);
  const caller = new ApiCaller(service.origin, { cookie });
  const body = { name, response: key.register(challenge, attestation) };
  return await caller.request("POST", "/api/auth/passkey/verify-registration", body);
}

async function signInWith(key: SoftwareKey) {
  const { challenge, cookie } = await challengeOf("generate-authenticate-options", "");
  return await sendAssertion(cookie, key.authenticate(challenge));
}

async function sendAssertion(cookie: string, response: unknown) {
  const caller = new ApiCaller(service.origin, { cookie });
  const answer = await caller.request("POST", "/api/auth/passkey/verify-authentication", { response });
  return { ...answer, code: JSON.parse(answer.text).code, cookie: cookiesOf(answer.headers) };
}

async function passkeysOf({ caller }: SignedIn) {
  const { text } = await caller.request("GET", "/api/auth/passkey/list-user-passkeys");
  return listed.parse(JSON.parse(text));
}

/** Somebody with a passkey. */
async function aPasskeyOwner() {
  const person = await aPerson(service);
  const key = new SoftwareKey({ origin });
  await register(person, key);
  const [passkey] = await passkeysOf(person);
  return { ...person, key, passkeyId: passkey?.id ?? "" };
}

it("signs somebody in who says neither their address nor a password", async () => {
  const person = await aPasskeyOwner();

  const { status, cookie } = await signInWith(person.key);

  expect(status).toBe(200);
  expect(await isSignedIn(service, cookie)).toBe(true);
  const session = await new ApiCaller(service.origin, { cookie }).request("GET", "/api/auth/get-session");
  expect(JSON.parse(session.text).user.email).toBe(person.email);
});

it("asks the device to find the passkey itself and to check its owner", async () => {
  const person = await aPerson(service);

  const { body } = await challengeOf("generate-register-options", person.cookie);

  expect(body).toMatchObject({
    rp: { id: "localhost", name: "Placard" },
    user: { name: person.email },
    attestation: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
});

it("counts as both factors", async () => {
  const person = await switchTwoFactorOn(service, await aPerson(service));
  const key = new SoftwareKey({ origin });
  await register(person, key);

  const { cookie } = await signInWith(key);

  expect(await isSignedIn(service, cookie)).toBe(true);
});

it("takes no device that does not check its owner, neither to register nor to sign in", async () => {
  const person = await aPasskeyOwner();
  const other = new SoftwareKey({ origin });
  other.verifiesUser = false;
  person.key.verifiesUser = false;

  const registered = await register(person, other);
  const signedIn = await signInWith(person.key);

  expect([registered.status, JSON.parse(registered.text).code]).toEqual([400, "USER_VERIFICATION_REQUIRED"]);
  expect([signedIn.status, signedIn.code]).toEqual([400, "USER_VERIFICATION_REQUIRED"]);
  expect(await passkeysOf(person)).toHaveLength(1);
});

it.each([
  ["another site", { origin: "https://evil.example" }],
  ["another port of this host", { origin: "http://localhost:1" }],
  ["another domain", { domain: "evil.example" }],
])("takes no passkey that was made for %s", async (_what, changes) => {
  const person = await aPerson(service);

  const { status } = await register(person, new SoftwareKey({ origin, ...changes }));

  expect(status).toBe(400);
  expect(await passkeysOf(person)).toEqual([]);
});

/** A certificate that names `http://crl.invalid/` as the address of its list of revoked ones. */
const CERTIFICATE =
  "MIIBLjCB1aADAgECAgEBMAoGCCqGSM49BAMCMAwxCjAIBgNVBAMTAXgwHhcNMjYwMTAxMDAwMDAwWhcNNDkwMTAxMDAwMDAwWjAM" +
  "MQowCAYDVQQDEwF4MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE7hp0I/VmFHgZ2adBRhTsvOZp2lU4caEArM0Ay6Gp9QLnduLt" +
  "q/yf9sl+79eZDomscmlHtpBz6wwTuJF3BL5IN6MoMCYwJAYDVR0fBB0wGzAZoBegFYYTaHR0cDovL2NybC5pbnZhbGlkLzAKBggq" +
  "hkjOPQQDAgNIADBFAiB9g9fNKfW8Ox94D7oHTiv9mocxE5hBKUnm2MF63GFf/gIhAOJqnQghTV09ca7ITJlyiNbu6roG5eNiL7Jo" +
  "Di6VD5P9";

it("asks no address that the certificate of a device names", async () => {
  const person = await aPerson(service);
  const fetched = vi.spyOn(globalThis, "fetch");
  onTestFinished(() => fetched.mockRestore());

  const { status } = await register(
    person,
    new SoftwareKey({ origin }),
    "Phone",
    Buffer.from(CERTIFICATE, "base64"),
  );

  expect(fetched.mock.calls.map(([address]) => address)).not.toContain("http://crl.invalid/");
  expect(status).toBe(422);
  expect(await passkeysOf(person)).toEqual([]);
});

it("takes a passkey that its device has signed for itself", async () => {
  const person = await aPerson(service);
  const key = new SoftwareKey({ origin });

  const { status } = await register(person, key, "Laptop", "self");

  expect(status).toBe(200);
  expect((await signInWith(key)).status).toBe(200);
});

it("takes an answer once, to its own challenge, of a known passkey with its own signature", async () => {
  const person = await aPasskeyOwner();
  const { challenge, cookie } = await challengeOf("generate-authenticate-options", "");
  const answer = person.key.authenticate(challenge);
  const other = await challengeOf("generate-authenticate-options", "");
  const fourth = await challengeOf("generate-authenticate-options", "");
  const forged = {
    ...new SoftwareKey({ origin }).authenticate(fourth.challenge),
    id: person.key.id,
    rawId: person.key.id,
  };

  const first = await sendAssertion(cookie, answer);
  const again = await sendAssertion(cookie, answer);
  const elsewhere = await sendAssertion(other.cookie, answer);
  const unknown = await signInWith(new SoftwareKey({ origin }));
  const signedByOther = await sendAssertion(fourth.cookie, forged);

  expect(first.status).toBe(200);
  expect([again.status, elsewhere.status, unknown.status, signedByOther.status]).toEqual([
    400, 400, 401, 400,
  ]);
  for (const refused of [again, elsewhere, unknown, signedByOther]) {
    expect(await isSignedIn(service, refused.cookie)).toBe(false);
  }
});

it("lets a challenge wait for 5 minutes", async () => {
  const person = await aPasskeyOwner();
  const { challenge, cookie } = await challengeOf("generate-authenticate-options", "");

  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5 * MINUTE_MS + 1 });

  expect((await sendAssertion(cookie, person.key.authenticate(challenge))).status).toBe(400);
});

it("needs the password for a new passkey 10 minutes after the sign-in", async () => {
  const person = await aPerson(service);
  const key = new SoftwareKey({ origin });
  const begun = await challengeOf("generate-register-options", person.cookie);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * MINUTE_MS + 1 });

  const tooLate = await challengeOf("generate-register-options", person.cookie);
  const caller = new ApiCaller(service.origin, { cookie: begun.cookie });
  const finished = await caller.request("POST", "/api/auth/passkey/verify-registration", {
    name: "Laptop",
    response: key.register(begun.challenge),
  });
  const path = "/api/auth/confirm-password";
  const wrong = await person.caller.refused(400, "POST", path, { password: "not the password" });
  await person.caller.request("POST", path, { password: PASSWORD });
  const later = await register(person, key);

  expect(tooLate.body).toMatchObject({ status: 403, code: "SESSION_NOT_FRESH" });
  expect([finished.status, wrong.code, later.status]).toEqual([403, "INVALID_PASSWORD", 200]);
});

it("names, renames and removes passkeys, and tells their owner", async () => {
  const person = await aPerson(service);
  const key = new SoftwareKey({ origin });

  await register(person, key, " Laptop ");
  const [made] = await passkeysOf(person);
  await person.caller.request("POST", "/api/auth/passkey/update-passkey", { id: made?.id, name: "Phone" });
  const renamed = await passkeysOf(person);
  await person.caller.request("POST", "/api/auth/passkey/delete-passkey", { id: made?.id });

  expect([made?.name, renamed.map(({ name }) => name)]).toEqual(["Laptop", ["Phone"]]);
  expect(await passkeysOf(person)).toEqual([]);
  expect((await signInWith(key)).status).toBe(401);
  expect(await mailTo(service, person.email, "passkey was added")).toBeDefined();
  expect(await mailTo(service, person.email, "passkey was removed")).toBeDefined();
});

it("lets nobody list, rename or remove the passkeys of another person", async () => {
  const owner = await aPasskeyOwner();
  const other = await aPerson(service);
  const id = owner.passkeyId;

  const renamed = await other.caller.request("POST", "/api/auth/passkey/update-passkey", {
    id,
    name: "Mine",
  });
  const removed = await other.caller.request("POST", "/api/auth/passkey/delete-passkey", { id });
  const anonymous = await new ApiCaller(service.origin).request("POST", "/api/auth/passkey/delete-passkey", {
    id,
  });

  expect([renamed.status, removed.status, anonymous.status]).toEqual([401, 401, 401]);
  expect(await passkeysOf(other)).toEqual([]);
  expect((await passkeysOf(owner)).map(({ name }) => name)).toEqual(["Laptop"]);
});

it("takes no challenge of another person for a new passkey", async () => {
  const mine = await aPerson(service);
  const theirs = await aPerson(service);
  const { challenge, cookie } = await challengeOf("generate-register-options", mine.cookie);
  const crossed = cookie.replace(mine.cookie, theirs.cookie);

  const { status } = await new ApiCaller(service.origin, { cookie: crossed }).request(
    "POST",
    "/api/auth/passkey/verify-registration",
    { name: "Laptop", response: new SoftwareKey({ origin }).register(challenge) },
  );

  expect(status).toBe(401);
  expect(await passkeysOf(theirs)).toEqual([]);
});

it("lets nobody register the passkey of another person once more", async () => {
  const owner = await aPasskeyOwner();
  const other = await aPerson(service);

  const { status } = await register(other, owner.key);

  expect(status).toBe(400);
  expect((await signInWith(owner.key)).status).toBe(200);
});

it("answers a malformed passkey with 400 or 422, never with a server error", async () => {
  const person = await aPerson(service);
  const { challenge, cookie } = await challengeOf("generate-register-options", person.cookie);
  const caller = new ApiCaller(service.origin, { cookie });
  const path = "/api/auth/passkey/verify-registration";
  const sound = new SoftwareKey({ origin }).register(challenge);

  for (const response of [null, "x", {}, { ...sound, type: "password" }, { ...sound, response: {} }]) {
    await caller.refused(422, "POST", path, { name: "Laptop", response });
  }
  const damaged = { ...sound, response: { ...sound.response, attestationObject: "AAAA" } };
  await caller.refused(422, "POST", path, { name: "Laptop", response: damaged });
  const cut = { ...sound, response: { ...sound.response, clientDataJSON: "AAAA" } };
  await caller.refused(400, "POST", path, { name: "Laptop", response: cut });
  const asking = await challengeOf("generate-authenticate-options", "");
  const { status } = await sendAssertion(asking.cookie, {
    ...sound,
    response: { clientDataJSON: "e30", authenticatorData: "AAAA", signature: "AAAA" },
  });
  expect(status).toBe(401);
});

it("keeps 20 passkeys per person", async () => {
  const person = await aPerson(service);

  const statuses = [];
  for (let n = 0; n < 21; n += 1) {
    statuses.push((await register(person, new SoftwareKey({ origin }), `Device ${n}`)).status);
  }

  expect(statuses).toEqual([...Array(20).fill(200), 409]);
});

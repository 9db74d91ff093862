import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

interface Options {
  /** Where the page with the passkey is. */
  readonly origin: string;
  /** The domain that it believes to be at. Default `localhost`. */
  readonly domain?: string;
}

/** A security key made of software, which answers as a browser does for it (WebAuthn level 2, ES256, no attestation). */
export class SoftwareKey {
  readonly #options: Options;
  readonly #id = randomBytes(32);
  readonly #privateKey: KeyObject;
  readonly #publicKey: Buffer;
  #uses = 0;
  /** Whether it checks its owner, by a fingerprint or a PIN. */
  verifiesUser = true;

  constructor(options: Options) {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    this.#options = options;
    this.#privateKey = privateKey;
    // COSE: an elliptic curve key (1: 2) for ES256 (3: -7) on P-256 (-1: 1), with x (-2) and y (-3).
    this.#publicKey = Buffer.concat([
      Buffer.from("a5010203262001215820", "hex"),
      Buffer.from(x, "base64url"),
      Buffer.from("225820", "hex"),
      Buffer.from(y, "base64url"),
    ]);
  }

  get id(): string {
    return this.#id.toString("base64url");
  }

  /** The answer to `navigator.credentials.create`: without an attestation, with the key's own, or with Apple's by a certificate. */
  register(challenge: string, attestation: "none" | "self" | Buffer = "none") {
    const credential = Buffer.concat([Buffer.alloc(16), lengthOf(this.#id), this.#id, this.#publicKey]);
    const data = Buffer.concat([this.#authenticatorData(0x41), credential]);
    const clientData = this.#clientData("webauthn.create", challenge);
    // CBOR: {"fmt": …, "attStmt": {…}, "authData": data}
    const attestationObject = Buffer.concat([
      Buffer.from("\xa3\x63fmt", "latin1"),
      this.#attest(attestation, Buffer.concat([data, sha256(clientData)])),
      Buffer.from("\x68authData", "latin1"),
      bytes(data),
    ]);
    return this.#answer({
      clientDataJSON: clientData.toString("base64url"),
      attestationObject: attestationObject.toString("base64url"),
      transports: ["internal"],
    });
  }

  #attest(attestation: "none" | "self" | Buffer, signed: Buffer): Buffer {
    if (attestation === "none") return Buffer.from("\x64none\x67attStmt\xa0", "latin1");
    if (attestation !== "self") {
      return Buffer.concat([
        Buffer.from("\x65apple\x67attStmt\xa1\x63x5c\x81", "latin1"),
        bytes(attestation),
      ]);
    }
    const head = Buffer.from("\x66packed\x67attStmt\xa2\x63alg\x26\x63sig", "latin1");
    return Buffer.concat([head, bytes(sign("sha256", signed, this.#privateKey))]);
  }

  /** The answer to `navigator.credentials.get`. */
  authenticate(challenge: string) {
    this.#uses += 1;
    const clientData = this.#clientData("webauthn.get", challenge);
    const data = this.#authenticatorData(0x01);
    const signed = Buffer.concat([data, sha256(clientData)]);
    return this.#answer({
      clientDataJSON: clientData.toString("base64url"),
      authenticatorData: data.toString("base64url"),
      signature: sign("sha256", signed, this.#privateKey).toString("base64url"),
    });
  }

  #answer<Response>(response: Response) {
    return { id: this.id, rawId: this.id, type: "public-key", clientExtensionResults: {}, response };
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#options.origin, crossOrigin: false }));
  }

  #authenticatorData(flags: number): Buffer {
    const verified = this.verifiesUser ? 0x04 : 0;
    const uses = Buffer.alloc(4);
    uses.writeUInt32BE(this.#uses);
    const domain = sha256(Buffer.from(this.#options.domain ?? "localhost"));
    return Buffer.concat([domain, Buffer.from([flags | verified]), uses]);
  }
}

/** As CBOR. */
function bytes(data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x59]), lengthOf(data), data]);
}

function lengthOf(data: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length);
  return length;
}

function sha256(data: Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}

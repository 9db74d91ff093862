import { readFileSync } from "node:fs";
import { join } from "node:path";
import { uploadGrant } from "#libs/contract/uploads.ts";
import { aPublisher, type Publisher } from "../../../services/management/tests/story.ts";
import type { Product } from "./product.ts";

/** A file whose upload was acknowledged. */
interface Upload {
  readonly path: string;
  readonly bytes: Buffer;
}

/** Only the newest people's sessions and keys are checked: earlier ones were checked after earlier cuts, and requests are limited. */
const TRIED_PEOPLE = 8;
const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const UPLOAD_BYTES = 40_000;

/** People, keys and files that were acknowledged, to be looked for after a power cut. */
export class Acknowledgements {
  #publishers: Publisher[] = [];
  #uploads: Upload[] = [];
  #secrets = "";

  /** Nothing was promised on this disk. */
  forget(): void {
    this.#publishers = [];
    this.#uploads = [];
    this.#secrets = "";
  }

  /** Somebody signs up, makes a workspace and a key, and uploads a file. */
  async make(product: Product, number: number): Promise<void> {
    this.#secrets = secretsOf(product);
    const publisher = await aPublisher(product, `Publisher ${number}`);
    this.#publishers.push(publisher);
    const bytes = Buffer.concat([PNG, Buffer.alloc(UPLOAD_BYTES, number)]);
    const grant = await publisher.caller.ok(uploadGrant, "POST", `${publisher.path}/uploads`, {
      fileName: "logo.png",
      contentType: "image/png",
      contentLength: bytes.length,
    });
    const { pathname, search } = new URL(grant.uploadUrl);
    const put = await fetch(`${product.origin}${pathname}${search}`, {
      method: "PUT",
      headers: grant.headers,
      body: bytes,
    });
    if (!put.ok) throw new Error(`an upload was answered with ${put.status}: ${await put.text()}`);
    this.#uploads.push({ path: new URL(grant.publicUrl).pathname, bytes });
  }

  /** A sentence for each promise that is not kept. */
  async broken(product: Product): Promise<string[]> {
    const problems: string[] = [];
    if (this.#secrets !== "" && this.#secrets !== secretsOf(product)) problems.push("the secrets changed");
    for (const { person, path, key } of this.#publishers.slice(-TRIED_PEOPLE)) {
      for (const [what, headers] of [
        ["session", { cookie: person.cookie }],
        ["key", { authorization: `Bearer ${key.key}` }],
      ] as const) {
        const answer = await fetch(`${product.origin}${path}`, { headers });
        if (!answer.ok) problems.push(`the ${what} of ${person.email} is answered with ${answer.status}`);
      }
    }
    for (const { path, bytes } of this.#uploads) {
      const answer = await fetch(`${product.origin}${path}`);
      const got = Buffer.from(await answer.arrayBuffer());
      if (!got.equals(bytes)) problems.push(`${path} is answered with ${answer.status}, ${got.length} bytes`);
    }
    return problems;
  }
}

function secretsOf({ dataDir }: Product): string {
  return readFileSync(join(dataDir, "secrets.json"), "utf8");
}

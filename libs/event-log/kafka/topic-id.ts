import type Broker from "kafkajs/src/broker/index.js";
import type { WireRequest } from "kafkajs/src/broker/index.js";
import Encoder from "kafkajs/src/protocol/encoder.js";

const METADATA = 3;
const VERSION = 12;
const NO_TAGS = 0;
const NO_UUID = Buffer.alloc(16);

/**
 * The id that Kafka assigns to a topic at its creation, in base64: a topic created again under the same name has another.
 * Null when there is no such topic. Throws with brokers older than Kafka 2.8. kafkajs supports Metadata up to version 6, and
 * ids come with version 10, so the request is encoded here.
 */
export async function readTopicId(broker: Broker, topic: string): Promise<string | null> {
  return broker.connectionPool.send(topicIdRequest(topic));
}

function topicIdRequest(topic: string): WireRequest<string | null> {
  const body = encode(topic);
  return {
    request: {
      apiKey: METADATA,
      apiVersion: VERSION,
      apiName: "Metadata",
      encode: async () => new Encoder().writeBuffer(body),
    },
    response: { decode: async (payload) => decode(payload), parse: async (id) => id },
  };
}

function encode(topic: string): Buffer {
  const name = Buffer.from(topic);
  return Buffer.concat([
    Buffer.of(NO_TAGS), // ends the header, which has tags from version 9 on; kafkajs writes none
    varint(2), // compact arrays and strings: length + 1
    NO_UUID,
    varint(name.length + 1),
    name,
    Buffer.of(NO_TAGS),
    Buffer.of(0, 0, NO_TAGS), // no topic creation, no permissions
  ]);
}

function decode(buffer: Buffer): string | null {
  const reader = new Reader(buffer);
  reader.tags();
  reader.skip(4); // throttle time
  reader.array(() => {
    reader.skip(4); // node
    reader.bytes(); // host
    reader.skip(4); // port
    reader.bytes(); // rack
    reader.tags();
  });
  reader.bytes(); // cluster
  reader.skip(4); // controller
  if (reader.varint() < 2) return null;
  const isFailed = reader.skip(2).some((byte) => byte !== 0);
  reader.bytes(); // name
  const id = reader.skip(16);
  if (isFailed) return null;
  if (id.equals(NO_UUID)) throw new Error("These brokers assign no topic ids: Kafka 2.8 or newer is needed.");
  return id.toString("base64url");
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}

class Reader {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  skip(length: number): Buffer {
    const from = this.#at;
    this.#at += length;
    if (this.#at > this.#buffer.length) throw new Error("The broker's response is too short.");
    return this.#buffer.subarray(from, this.#at);
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.skip(1)[0] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  bytes(): void {
    this.skip(Math.max(this.varint() - 1, 0));
  }

  array(each: () => void): void {
    for (let left = this.varint() - 1; left > 0; left--) each();
  }

  tags(): void {
    for (let left = this.varint(); left > 0; left--) {
      this.varint();
      this.skip(this.varint());
    }
  }
}

import { EventLogError } from "./errors.ts";
import type { KafkaAppends } from "./kafka-appends.ts";
import type { KafkaMessage } from "./kafka-lane.ts";
import { deadLetterTopic } from "./kafka-topic.ts";
import type { DeadLetter } from "./port.ts";

const MAX_PARCEL_BYTES = 1024 * 1024;

/**
 * Puts refused lines into the topic for them, a message each: the line, with the reason as a header. One that is put
 * aside again after a crash stands there twice. Rejects `UNAVAILABLE` unless all are there.
 */
export async function putAside(
  appends: KafkaAppends,
  topic: string,
  letters: readonly DeadLetter[],
): Promise<void> {
  for (const messages of parcelsOf(letters)) {
    try {
      await appends.send({ topic: deadLetterTopic(topic), partition: 0, messages });
    } catch (cause) {
      throw new EventLogError("UNAVAILABLE", "Lines could not be put aside.", { cause });
    }
  }
}

function parcelsOf(letters: readonly DeadLetter[]): KafkaMessage[][] {
  const parcels: KafkaMessage[][] = [];
  let room = 0;
  for (const { line, reason } of letters) {
    const value = Buffer.from(line);
    if (value.length > room) {
      parcels.push([]);
      room = MAX_PARCEL_BYTES;
    }
    parcels.at(-1)?.push({ value, headers: { reason } });
    room -= value.length;
  }
  return parcels;
}

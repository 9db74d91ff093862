import { EventLogError } from "../errors.ts";
import type { DeadLetter } from "../port.ts";
import type { ProducerPool } from "./producer-pool.ts";
import type { KafkaRecord } from "./producer-slot.ts";
import { deadLetterTopic } from "./topic.ts";

const MAX_RECORD_SET_BYTES = 1024 * 1024;

/** Appends refused lines with their reasons, again after a crash. Rejects with `UNAVAILABLE` unless all are stored. */
export async function writeDeadLetters(
  producers: ProducerPool,
  topic: string,
  letters: readonly DeadLetter[],
): Promise<void> {
  for (const messages of recordSetsOf(letters)) {
    try {
      await producers.send({ topic: deadLetterTopic(topic), partition: 0, messages });
    } catch (cause) {
      throw new EventLogError("UNAVAILABLE", "The dead letters could not be written.", { cause });
    }
  }
}

function recordSetsOf(letters: readonly DeadLetter[]): KafkaRecord[][] {
  const recordSets: KafkaRecord[][] = [];
  let room = 0;
  for (const { line, reason } of letters) {
    const value = Buffer.from(line);
    if (value.length > room) {
      recordSets.push([]);
      room = MAX_RECORD_SET_BYTES;
    }
    recordSets.at(-1)?.push({ value, headers: { reason } });
    room -= value.length;
  }
  return recordSets;
}

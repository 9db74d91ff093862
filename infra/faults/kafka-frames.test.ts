import fc from "fast-check";
import { expect, it } from "vitest";
import { frames } from "./kafka-frames.ts";

function framed(text: string): Buffer {
  const body = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length);
  return Buffer.concat([length, body]);
}

it("gives back the messages that were sent, wherever the stream was cut", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.nat(300)), (texts, cuts) => {
      const stream = Buffer.concat(texts.map(framed));
      const found: string[] = [];
      const take = frames((frame) => found.push(frame.toString("utf8", 4)));
      let from = 0;
      for (const cut of [...cuts, stream.length]) {
        take(stream.subarray(from, from + cut));
        from = Math.min(from + cut, stream.length);
      }

      expect(found).toEqual(texts);
    }),
  );
});

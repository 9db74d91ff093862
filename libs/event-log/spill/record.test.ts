import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeRecord, readRecords, recordBytes, type SpilledBatch } from "./record.ts";

const aSpilledBatch: fc.Arbitrary<SpilledBatch> = fc.record({
  retryToken: fc.string({ unit: "binary", maxLength: 20 }),
  count: fc.nat(1000),
  spilledAt: fc.nat(),
  // Rows that look like the beginning of a record are rows all the same.
  rows: fc
    .array(fc.constantFrom("PLS1", '["evt"]\n', "\u0000", "x"), { maxLength: 8 })
    .map((parts) => Buffer.from(parts.join(""))),
});
const someBatches = fc.array(aSpilledBatch, { maxLength: 6 });

it("gives every batch back as it was", () => {
  fc.assert(
    fc.property(someBatches, (batches) => {
      const { batches: read, damage } = readRecords(Buffer.concat(batches.map(encodeRecord)));

      expect(read).toEqual(batches);
      expect(damage).toBeNull();
    }),
  );
});

it("takes an end that was cut off anywhere for what was never acknowledged, and nothing else", () => {
  fc.assert(
    fc.property(someBatches, fc.nat(), (batches, cut) => {
      const bytes = Buffer.concat(batches.map(encodeRecord));
      const length = bytes.length === 0 ? 0 : cut % bytes.length;
      let end = 0;
      const whole = batches.filter((batch) => {
        end += recordBytes(batch);
        return end <= length;
      });

      expect(readRecords(bytes.subarray(0, length))).toEqual({ batches: whole, damage: null });
    }),
  );
});

it("finds every change of a byte, and gives back all batches but the one it is in", () => {
  fc.assert(
    fc.property(
      fc.array(aSpilledBatch, { minLength: 1, maxLength: 6 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (batches, position, change) => {
        const bytes = Buffer.concat(batches.map(encodeRecord));
        const at = position % bytes.length;
        bytes.writeUInt8(bytes.readUInt8(at) ^ change, at);
        let end = 0;
        const others = batches.filter((batch) => {
          const start = end;
          end += recordBytes(batch);
          return at < start || at >= end;
        });

        const read = readRecords(bytes);

        expect(read.batches).toEqual(others);
        expect(read.damage).toMatch(/^the record at byte \d+ does not match its checksum$/);
      },
    ),
    { numRuns: 300 },
  );
});

const SLOTS = 16_384;

/**
 * Hash tags whose slots are spread evenly over a cluster, in the order of their slots: the n-th of `count` is in the n-th
 * part of the slots. A process of any release makes the same ones.
 */
export function spreadTags(count: number): string[] {
  const tags = new Map<number, string>();
  for (let tried = 0; tags.size < count; tried += 1) {
    const part = Math.floor((slotOf(String(tried)) * count) / SLOTS);
    if (!tags.has(part)) tags.set(part, String(tried));
  }
  return Array.from({ length: count }, (_, part) => tags.get(part) ?? "");
}

/** The slot of a key without a hash tag, in ASCII: CRC-16 (XMODEM) modulo 16,384, as the specification of Redis Cluster says. */
export function slotOf(key: string): number {
  let crc = 0;
  for (let at = 0; at < key.length; at += 1) {
    crc ^= key.charCodeAt(at) << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = ((crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021) & 0xffff;
  }
  return crc % SLOTS;
}

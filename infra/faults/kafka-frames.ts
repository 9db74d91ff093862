/** Cuts a stream of bytes into Kafka's messages, each with its length of four bytes in front, and hands over whole ones. */
export function frames(onFrame: (frame: Buffer) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let length = 0;

  return (chunk) => {
    chunks.push(chunk);
    length += chunk.length;
    while (length >= 4) {
      const [head = Buffer.alloc(0)] = chunks;
      const bytes = head.length >= 4 ? head : Buffer.concat(chunks, length);
      const size = bytes.readInt32BE(0) + 4;
      if (length < size) return;
      const all = chunks.length === 1 ? head : Buffer.concat(chunks, length);
      chunks = [all.subarray(size)];
      length -= size;
      onFrame(all.subarray(0, size));
    }
  };
}

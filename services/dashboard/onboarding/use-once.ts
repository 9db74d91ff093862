import { useRef, useState } from "react";

/** Creates something once. A retry after a lost response has the same idempotency key; one after an error a new key. */
export function useOnce(onError: (error: unknown) => void) {
  const [isBusy, setBusy] = useState(false);
  const key = useRef<string | null>(null);

  const run = async (create: (context: { readonly idempotencyKey: string }) => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    key.current ??= newKey();
    try {
      await create({ idempotencyKey: key.current });
      key.current = null;
    } catch (error) {
      // Keeps the key only if the request may have arrived: `fetch` throws this for a lost connection.
      if (!(error instanceof TypeError)) key.current = null;
      onError(error);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, run };
}

/** `crypto.randomUUID` exists only on https and loopback. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

import { useRef, useState } from "react";
import { newKey } from "../components/new-key.ts";

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

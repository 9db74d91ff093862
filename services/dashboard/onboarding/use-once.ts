import { useRef, useState } from "react";

interface Once {
  readonly isBusy: boolean;
  readonly run: (create: (context: { readonly idempotencyKey: string }) => Promise<void>) => Promise<void>;
}

/**
 * Creates something once at a time. Until it has succeeded each try bears the same key, so that one whose answer was lost
 * is not made twice; after a refusal the input is another, and so is the key.
 */
export function useOnce(onError: (error: unknown) => void): Once {
  const [isBusy, setBusy] = useState(false);
  const key = useRef<string | null>(null);

  const run: Once["run"] = async (create) => {
    if (isBusy) return;
    setBusy(true);
    key.current ??= newKey();
    try {
      await create({ idempotencyKey: key.current });
      key.current = null;
    } catch (error) {
      // Only what may have come through is to be known again; `fetch` throws that for a lost connection.
      if (!(error instanceof TypeError)) key.current = null;
      onError(error);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, run };
}

/** `crypto.randomUUID` is there on https and loopback alone. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

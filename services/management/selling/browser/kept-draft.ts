/**
 * What was typed and chosen for an ad before it was paid for, by the name of its input. Kept in this browser alone: the server stores nothing
 * for people who have not paid.
 */
export interface KeptDraft {
  readonly values: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, File>;
}

const DATABASE = "placard";
const DRAFTS = "drafts";

/** Keeps the one draft of a workspace. Never rejects: where the browser keeps nothing, it is typed again. */
export async function keepDraft(workspaceId: string, draft: KeptDraft): Promise<void> {
  await inStore("readwrite", (drafts) => drafts.put(draft, workspaceId)).catch(() => undefined);
}

/** The draft of a workspace; null without one. Never rejects. */
export async function readDraft(workspaceId: string): Promise<KeptDraft | null> {
  const found: unknown = await inStore("readonly", (drafts) => drafts.get(workspaceId)).catch(() => null);
  return isDraft(found) ? found : null;
}

/** Never rejects. */
export async function forgetDraft(workspaceId: string): Promise<void> {
  await inStore("readwrite", (drafts) => drafts.delete(workspaceId)).catch(() => undefined);
}

async function inStore<T>(
  mode: IDBTransactionMode,
  work: (drafts: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(DRAFTS);
  const database = await resultOf(opening);
  try {
    return await resultOf(work(database.transaction(DRAFTS, mode).objectStore(DRAFTS)));
  } finally {
    // Takes effect after the transaction.
    database.close();
  }
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function isDraft(found: unknown): found is KeptDraft {
  return (
    typeof found === "object" &&
    found !== null &&
    "values" in found &&
    found.values instanceof Map &&
    "files" in found &&
    found.files instanceof Map
  );
}

import type { Kysely } from "kysely";
import { SingleFlight } from "#libs/async/index.ts";
import type { MeasuredUpload } from "#libs/database/json-columns.ts";
import type { Tables } from "#libs/database/tables.ts";
import { IMAGE_TYPES } from "#libs/domain/image.ts";
import { IMAGE_HEADER_BYTES, imageProblem, imageSizeOf } from "#libs/domain/image-header.ts";
import type { ImageSize } from "#libs/domain/image-rules.ts";
import type { FileStart } from "#libs/uploads/index.ts";
import { closedAt, type RecordPorts } from "./arrivals.ts";

/** What the store had under a key. */
interface Look {
  readonly version: string;
  /** Null for a damaged image. */
  readonly size: ImageSize | null;
  /** Why the image cannot be shown, in a sentence; null if it can. */
  readonly problem: string | null;
  /** When the store was asked, in milliseconds since the epoch. */
  readonly at: number;
}

/**
 * What the store has under each key, null for nothing, and whether the key was on record before. After the first key without a file
 * nothing more is asked, so other keys may be absent.
 */
export type Looks = ReadonlyMap<string, (Look & { readonly isRecorded: boolean }) | null>;

/** How long a look holds: at a file whose grant was open, so that it may have been replaced since, and at others. */
const HOLDS_MS = { open: 60_000, closed: 60 * 60_000 };

/** Requests for the same file share a look at it. */
const looking = new SingleFlight<Look | null>();

/**
 * Looks at a workspace's uploads. Asks the store, so call it before anything is locked. What it saw is remembered, so that a request
 * with hundreds of images that is refused, and comes again and again, makes no calls.
 */
export async function lookAt(
  ports: RecordPorts,
  workspaceId: string,
  keys: readonly string[],
): Promise<Looks> {
  const records = await findRecords(ports.db, workspaceId, keys);
  const looks = new Map<string, (Look & { isRecorded: boolean }) | null>();
  const unknown = keys.filter((key) => {
    const { look, grantedAt } = records.get(key) ?? {};
    if (look === undefined || grantedAt === undefined) return true;
    const holdsFor = HOLDS_MS[look.at < closedAt(grantedAt) ? "open" : "closed"];
    if (look.at + holdsFor < ports.now()) return true;
    looks.set(key, { ...look, isRecorded: true });
    return false;
  });
  for (const key of unknown) {
    const record = records.get(key);
    // What has no record is not remembered, and a look that began earlier may be at a file that has been removed with its record.
    const look =
      record === undefined
        ? await askFor(ports, key, undefined)
        : await looking.run(key, () => askAndRemember(ports, workspaceId, key, record.look));
    looks.set(key, look === null ? null : { ...look, isRecorded: record !== undefined });
    if (look === null) break;
  }
  return looks;
}

async function askAndRemember(
  ports: RecordPorts,
  workspaceId: string,
  key: string,
  known: Look | undefined,
): Promise<Look | null> {
  const look = await askFor(ports, key, known);
  if (look !== null) await remember(ports.db, workspaceId, key, look);
  return look;
}

async function askFor(
  { uploads, now }: RecordPorts,
  key: string,
  known: Look | undefined,
): Promise<Look | null> {
  const at = now();
  if (known !== undefined) {
    const file = await uploads.find(key);
    if (file === null) return null;
    if (file.version === known.version) return { ...known, at };
  }
  const file = await uploads.readStart(key, IMAGE_HEADER_BYTES);
  return file === null ? null : { ...lookedAt(file), version: file.version, at };
}

function lookedAt({ start, contentType }: FileStart): Pick<Look, "size" | "problem"> {
  const type = IMAGE_TYPES.find((known) => known === contentType);
  const problem = type === undefined ? "The file is no image that ads show." : imageProblem(start, type);
  return { size: sizeOf(start, contentType), problem };
}

/** The size of an image from the start of its file; null if it cannot be read. */
export function sizeOf(start: Buffer, contentType: string): ImageSize | null {
  const type = IMAGE_TYPES.find((known) => known === contentType);
  return type === undefined ? null : imageSizeOf(start, type);
}

async function findRecords(db: Kysely<Tables>, workspaceId: string, keys: readonly string[]) {
  const rows =
    keys.length === 0
      ? []
      : await db
          .selectFrom("uploads")
          .where("workspace_id", "=", workspaceId)
          .where("key", "in", keys)
          .select(["key", "granted_at", "measured"])
          .execute();
  return new Map(
    rows.map(({ key, granted_at, measured }) => {
      const look = measured?.looked && { version: measured.version, size: measured.size, ...measured.looked };
      return [key, { grantedAt: granted_at.getTime(), look }] as const;
    }),
  );
}

async function remember(
  db: Kysely<Tables>,
  workspaceId: string,
  key: string,
  { version, size, problem, at }: Look,
): Promise<void> {
  // A store that tells no versions may replace the file unseen.
  if (version === "") return;
  const measured: MeasuredUpload = { version, size, looked: { problem, at } };
  await db
    .updateTable("uploads")
    .set({ measured: JSON.stringify(measured) })
    .where("workspace_id", "=", workspaceId)
    .where("key", "=", key)
    .execute();
}

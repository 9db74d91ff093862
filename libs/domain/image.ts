/** The images that uploads take. SVG is none of them: it can carry scripts. */
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif", "image/avif"] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];
/** The types of site icons. */
export type IconType = Exclude<ImageType, "image/avif"> | "image/x-icon";

/** What file names of each type end in; the first is the usual one. */
const EXTENSIONS: Readonly<Record<ImageType, readonly [string, ...string[]]>> = {
  "image/png": ["png"],
  "image/jpeg": ["jpg", "jpeg"],
  "image/webp": ["webp"],
  "image/gif": ["gif"],
  "image/avif": ["avif"],
};

/** How many bytes `detectImageType` needs to tell every type for sure. */
export const IMAGE_SIGNATURE_BYTES = 64;

/** The extension, without its dot, that a file of the type keeps: its own where that fits the type, else the usual one. */
export function imageExtension(type: ImageType, fileName: string): string {
  const given = fileName.slice(fileName.lastIndexOf(".") + 1).toLowerCase();
  const [usual, ...others] = EXTENSIONS[type];
  return others.includes(given) ? given : usual;
}

/** The type of a file extension, null for an unknown one. */
export function imageTypeOf(extension: string): ImageType | null {
  return IMAGE_TYPES.find((type) => EXTENSIONS[type].includes(extension)) ?? null;
}

/** The type that the first bytes of a file show, null for anything else. */
export function detectImageType(start: Uint8Array): ImageType | null {
  const text = Buffer.from(start.subarray(0, IMAGE_SIGNATURE_BYTES)).toString("latin1");
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) return "image/gif";
  if (text.startsWith("RIFF") && text.startsWith("WEBP", 8)) return "image/webp";
  return isAvif(start, text) ? "image/avif" : null;
}

/** ISO base media: a box of `ftyp` with its length in front, a major brand, a version, compatible brands to its end. */
function isAvif(start: Uint8Array, text: string): boolean {
  if (start.length < 16 || !text.startsWith("ftyp", 4)) return false;
  const boxLength = new DataView(start.buffer, start.byteOffset).getUint32(0);
  const brands = [text.slice(8, 12), ...(text.slice(16, boxLength).match(/.{4}/gs) ?? [])];
  return brands.includes("avif") || brands.includes("avis");
}

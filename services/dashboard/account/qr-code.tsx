import { useMemo } from "react";
import { encode } from "uqr";

interface QrCodeProps {
  readonly text: string;
  /** The accessible name. */
  readonly label: string;
}

const SIZE = 200;
/** The empty border that scanners need around the code, in modules. */
const QUIET_ZONE = 4;

/** Draws a text as a QR code in the browser, so that no other service sees the text. Black on white in every theme, for scanners. */
export function QrCode({ text, label }: QrCodeProps) {
  const { size, path } = useMemo(() => {
    const code = encode(text, { border: QUIET_ZONE });
    const dark = code.data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")));
    return { size: code.size, path: dark.join("") };
  }, [text]);
  return (
    <svg role="img" aria-label={label} width={SIZE} height={SIZE} viewBox={`0 0 ${size} ${size}`}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}

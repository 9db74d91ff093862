import { type CSSProperties, type ReactNode, useState } from "react";
import { mayShowImage } from "./web-address.ts";

interface WebImageProps {
  readonly url: string;
  readonly alt: string;
  readonly style?: CSSProperties;
  /** What stands there where the image may not be shown, or does not load. */
  readonly instead: ReactNode;
}

/** An image at an address that somebody has given. Its server is not told who is looking. */
export function WebImage({ url, alt, style, instead }: WebImageProps) {
  const [failed, setFailed] = useState<string | null>(null);
  if (failed === url || !mayShowImage(url, location.origin)) return instead;
  return (
    <img
      src={url}
      alt={alt}
      style={style}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setFailed(url)}
    />
  );
}

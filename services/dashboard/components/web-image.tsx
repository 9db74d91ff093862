import { Avatar } from "@mantine/core";
import { type CSSProperties, type ReactNode, useState } from "react";
import { mayShowImage } from "./web-address.ts";

interface WebImageProps {
  readonly url: string;
  readonly alt: string;
  readonly style?: CSSProperties;
  /** Shown if the image may not be shown or does not load. */
  readonly instead: ReactNode;
}

/** An image at an address that somebody entered. Its server gets no referrer. */
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

interface SiteIconProps {
  readonly name: string;
  readonly faviconUrl: string | null;
  /** In pixels. */
  readonly size: number;
}

/** The icon of an advertiser's site; the first letter of the name if it has none. */
export function SiteIcon({ name, faviconUrl, size }: SiteIconProps) {
  const [letter = "?"] = name.trim();
  const instead = (
    <Avatar size={size} radius="sm" variant="default" aria-hidden>
      {letter.toUpperCase()}
    </Avatar>
  );
  if (faviconUrl === null) return instead;
  const style = { width: size, height: size, objectFit: "contain", borderRadius: 4, flexShrink: 0 } as const;
  return <WebImage url={faviconUrl} alt="" style={style} instead={instead} />;
}

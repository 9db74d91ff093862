import { Avatar } from "@mantine/core";
import { WebImage } from "./web-image.tsx";

interface SiteIconProps {
  readonly name: string;
  readonly faviconUrl: string | null;
  /** In pixels. */
  readonly size: number;
}

/** The icon of an advertiser's site; the first letter of the name where none was found. */
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

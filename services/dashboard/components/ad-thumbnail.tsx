import { Box } from "@mantine/core";
import { useInViewport } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { Ad, ListedAd } from "#libs/contract/ad.ts";
import { query } from "../api/client.ts";
import { fieldsQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { contentText, listCreativeValues } from "./creative-values.ts";
import { SiteIcon, WebImage } from "./web-image.tsx";

/** Lists have no field values, so each ad in view is loaded once. */
const FRESH_MS = 60_000;

interface ThumbnailProps {
  readonly ad: Pick<ListedAd, "id" | "name" | "faviconUrl">;
  /** In pixels. */
  readonly size?: number;
}

/** An ad at a glance, wherever one is listed: its first image, its site's icon, or the first letter of its name. */
export function AdThumbnail({ ad, size }: ThumbnailProps) {
  const { id: workspaceId } = useWorkspace();
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const hasImages = useImageFields().length > 0;
  const whole = useQuery({
    ...query.ads.get.queryOptions({ input: { workspaceId, adId: ad.id }, staleTime: FRESH_MS }),
    enabled: inViewport && hasImages,
  });
  return (
    <div ref={ref} style={{ flexShrink: 0 }}>
      <CreativeImage
        creative={{ ...ad, meta: whole.data?.meta ?? [] }}
        {...(size === undefined ? {} : { size })}
      />
    </div>
  );
}

interface CreativeImageProps {
  readonly creative: Pick<Ad, "name" | "faviconUrl" | "meta">;
  readonly size?: number;
}

/** The same for content that is loaded already. */
export function CreativeImage({ creative: { name, faviconUrl, meta }, size = 44 }: CreativeImageProps) {
  const [image] = listCreativeValues(useImageFields(), meta).flatMap(({ value, copy }) =>
    copy === undefined ? (value ?? []) : [],
  );
  const icon = <SiteIcon name={name} faviconUrl={faviconUrl} size={size} />;
  return (
    <Box w={size} h={size} style={{ flexShrink: 0 }} aria-hidden>
      {image === undefined ? (
        icon
      ) : (
        <WebImage
          url={contentText(image)}
          alt=""
          style={{ width: size, height: size, objectFit: "cover", borderRadius: 6 }}
          instead={icon}
        />
      )}
    </Box>
  );
}

function useImageFields() {
  const { id: workspaceId } = useWorkspace();
  const { data: fields = [] } = useQuery(fieldsQuery(workspaceId));
  return fields.filter(({ type, isPublisherOnly }) => type === "Image" && !isPublisherOnly);
}

import { Box } from "@mantine/core";
import { useInViewport } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { query } from "../shell/client.ts";
import { useWorkspace } from "../shell/workspace.tsx";
import { allFieldsQuery } from "./ad-queries.ts";
import type { ListedAd } from "./ad-shapes.ts";
import { listCreativeValues } from "./creative-values.ts";
import { contentText } from "./field-content-view.tsx";
import { SiteIcon } from "./site-icon.tsx";
import { WebImage } from "./web-image.tsx";

const SIZE = 44;
/** A list has no images, so each ad in view is asked for once; its page then is there at once. */
const FRESH_MS = 60_000;

/** What makes an ad known at a glance: its first image, the icon of its site, or the first letter of its name. */
export function AdThumbnail({ ad }: { readonly ad: Pick<ListedAd, "id" | "name" | "faviconUrl"> }) {
  const { id: workspaceId } = useWorkspace();
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const { data: fields = [] } = useQuery(allFieldsQuery(workspaceId));
  const imageFields = fields.filter(({ type, isPublisherOnly }) => type === "Image" && !isPublisherOnly);
  const whole = useQuery(
    query.ads.get.queryOptions({
      input: { workspaceId, adId: ad.id },
      enabled: inViewport && imageFields.length > 0,
      staleTime: FRESH_MS,
    }),
  );
  const [image] = listCreativeValues(imageFields, whole.data?.meta ?? []).flatMap(({ value, copy }) =>
    copy === undefined ? (value ?? []) : [],
  );
  const icon = <SiteIcon name={ad.name} faviconUrl={ad.faviconUrl} size={SIZE} />;
  return (
    <Box ref={ref} w={SIZE} h={SIZE} style={{ flexShrink: 0 }} aria-hidden>
      {image === undefined ? (
        icon
      ) : (
        <WebImage
          url={contentText(image)}
          alt=""
          style={{ width: SIZE, height: SIZE, objectFit: "cover", borderRadius: 6 }}
          instead={icon}
        />
      )}
    </Box>
  );
}

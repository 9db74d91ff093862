import { Box } from "@mantine/core";
import { useInViewport } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { ListedAd } from "#libs/contract/ad.ts";
import { query } from "../api/client.ts";
import { fieldsQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { SiteIcon, WebImage } from "../components/web-image.tsx";
import { listCreativeValues } from "../review/creative-values.ts";
import { contentText } from "../review/field-content-view.tsx";

const SIZE = 44;
/** Lists have no images, so each ad in view is loaded once. */
const FRESH_MS = 60_000;

/** An ad at a glance: its first image, its site's icon, or the first letter of its name. */
export function AdThumbnail({ ad }: { readonly ad: Pick<ListedAd, "id" | "name" | "faviconUrl"> }) {
  const { id: workspaceId } = useWorkspace();
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const { data: fields = [] } = useQuery(fieldsQuery(workspaceId));
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

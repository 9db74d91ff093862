import { Card, Group, Stack, Text } from "@mantine/core";
import type { Ad, Field } from "./ad-shapes.ts";
import { copyWords, listCreativeValues } from "./creative-values.ts";
import { contentText } from "./field-content-view.tsx";
import { SiteIcon } from "./site-icon.tsx";
import { siteName } from "./web-address.ts";
import { WebImage } from "./web-image.tsx";
import { WebLink } from "./web-link.tsx";

interface CreativePreviewProps {
  readonly creative: Pick<Ad, "name" | "websiteUrl" | "meta"> & { readonly faviconUrl: string | null };
  readonly fields: readonly Field[];
}

/** A creative the way a visitor meets it: its images, its name, its words. A site may lay it out in a way of its own. */
export function CreativePreview({ creative, fields }: CreativePreviewProps) {
  const shown = listCreativeValues(
    fields.filter(({ isPublisherOnly }) => !isPublisherOnly),
    creative.meta,
  ).filter(({ value }) => value !== undefined);
  const images = shown.filter(({ field }) => field.type === "Image");
  const texts = shown.filter(({ field }) => field.type === "Text" || field.type === "Textarea");

  return (
    <Card withBorder padding="md" maw={420}>
      {images.map(({ field, value, copy }) => (
        <Card.Section key={field.id} mb="md">
          {copy === undefined ? (
            <WebImage
              url={contentText(value)}
              alt={field.name}
              style={{ display: "block", width: "100%", maxHeight: 240, objectFit: "contain" }}
              instead={
                <Text size="sm" c="dimmed" p="md">
                  {field.name}: this image cannot be shown here.
                </Text>
              }
            />
          ) : (
            <Text size="sm" c="dimmed" p="md">
              {field.name}: {copyWords(copy)}
            </Text>
          )}
        </Card.Section>
      ))}
      <Stack gap={6}>
        <Group gap="sm" wrap="nowrap" align="center">
          <SiteIcon name={creative.name} faviconUrl={creative.faviconUrl} size={28} />
          <Text fw={650} style={{ overflowWrap: "anywhere" }}>
            <bdi dir="auto">{creative.name}</bdi>
          </Text>
        </Group>
        {texts.map(({ field, value }) => (
          <Text key={field.id} size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
            <bdi dir="auto">{contentText(value)}</bdi>
          </Text>
        ))}
        <WebLink url={creative.websiteUrl} text={siteName(creative.websiteUrl)} size="sm" />
        <Text size="xs" c="dimmed">
          Sponsored
        </Text>
      </Stack>
    </Card>
  );
}

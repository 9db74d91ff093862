import { Card, Group, Stack, Text } from "@mantine/core";
import type { Ad } from "#libs/contract/ad.ts";
import type { Field } from "#libs/contract/fields.ts";
import type { FieldType } from "#libs/domain/field.ts";
import { Dimmed } from "../components/dimmed.tsx";
import { siteName } from "../components/web-address.ts";
import { SiteIcon, WebImage } from "../components/web-image.tsx";
import { WebLink } from "../components/web-link.tsx";
import { copyWords, listCreativeValues } from "./creative-values.ts";
import { contentText } from "./field-content-view.tsx";

/** How the preview shows the values of each type; null for not at all. */
const PREVIEWS: Readonly<Record<FieldType, "image" | "text" | null>> = {
  Text: "text",
  Textarea: "text",
  Image: "image",
  Url: null,
  Email: null,
  Number: null,
  Switch: null,
  Select: null,
  Date: null,
  Color: null,
};

interface CreativePreviewProps {
  readonly creative: Pick<Ad, "name" | "websiteUrl" | "meta"> & { readonly faviconUrl: string | null };
  readonly fields: readonly Field[];
}

/** The ad as a visitor may see it: images, name, texts. A site may lay it out differently. */
export function CreativePreview({ creative, fields }: CreativePreviewProps) {
  const shown = listCreativeValues(
    fields.filter(({ isPublisherOnly }) => !isPublisherOnly),
    creative.meta,
  ).filter(({ value }) => value !== undefined);
  const images = shown.filter(({ field }) => PREVIEWS[field.type] === "image");
  const texts = shown.filter(({ field }) => PREVIEWS[field.type] === "text");

  return (
    <Card withBorder padding="md" maw={420}>
      {images.map(({ field, value, copy }) => (
        <Card.Section key={field.id} mb="md">
          {copy === undefined ? (
            <WebImage
              url={contentText(value)}
              alt={field.name}
              style={{ display: "block", width: "100%", maxHeight: 240, objectFit: "contain" }}
              instead={<Dimmed p="md">{field.name}: this image can’t be shown here.</Dimmed>}
            />
          ) : (
            <Dimmed p="md">
              {field.name}: {copyWords(copy)}
            </Dimmed>
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
        <Dimmed size="xs">Sponsored</Dimmed>
      </Stack>
    </Card>
  );
}

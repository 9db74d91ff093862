import { ColorSwatch, Group, Stack, Text } from "@mantine/core";
import type { Field } from "./ad-shapes.ts";
import { copyWords, type ImageCopy } from "./creative-values.ts";
import { WebImage } from "./web-image.tsx";
import { WebLink } from "./web-link.tsx";

interface FieldContentViewProps {
  readonly field: Pick<Field, "name" | "type">;
  readonly value: unknown;
  readonly copy?: ImageCopy | undefined;
}

/** What an ad has in a field, as its type is best looked at. Whatever it is, it shows as text unless it is safe to be more. */
export function FieldContentView({ field, value, copy }: FieldContentViewProps) {
  const text = contentText(value);
  switch (field.type) {
    case "Image":
      return (
        <Stack gap={4}>
          {copy === undefined ? (
            <WebImage
              url={text}
              alt={field.name}
              style={{ maxWidth: "100%", maxHeight: 140, objectFit: "contain", alignSelf: "flex-start" }}
              instead={
                <Text component="span" size="sm" c="dimmed">
                  This image cannot be shown here.
                </Text>
              }
            />
          ) : (
            <Text component="span" size="sm" c="dimmed">
              {copyWords(copy)}
            </Text>
          )}
          <WebLink url={text} size="xs" />
        </Stack>
      );
    case "Url":
      return <WebLink url={text} size="sm" />;
    case "Color":
      return (
        <Group gap="xs">
          {/^#[0-9a-f]{6}$/i.test(text) ? <ColorSwatch color={text} size={16} aria-hidden /> : null}
          <bdi>{text}</bdi>
        </Group>
      );
    case "Textarea":
      return (
        <bdi dir="auto" style={{ whiteSpace: "pre-wrap" }}>
          {text}
        </bdi>
      );
    default:
      return <bdi dir="auto">{text}</bdi>;
  }
}

/** A value in words. */
export function contentText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return JSON.stringify(value) ?? "";
}

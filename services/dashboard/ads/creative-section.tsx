import { Badge, Text } from "@mantine/core";
import type { Ad, Field } from "./ad-shapes.ts";
import { CreativePreview } from "./creative-preview.tsx";
import classes from "./creative-section.module.css";
import { listCreativeValues } from "./creative-values.ts";
import { Fact, Facts } from "./facts.tsx";
import { FieldContentView } from "./field-content-view.tsx";
import { Section } from "./section.tsx";
import { WebLink } from "./web-link.tsx";

interface CreativeSectionProps {
  readonly ad: Ad;
  readonly fields: readonly Field[];
}

/** The creative as visitors see it, and everything that was filled in. */
export function CreativeSection({ ad, fields }: CreativeSectionProps) {
  const values = listCreativeValues(fields, ad.meta);
  const filled = values.filter(({ value }) => value !== undefined);
  const empty = values.filter(({ value }) => value === undefined);
  return (
    <Section title="Creative">
      <div className={classes.creative}>
        <CreativePreview creative={ad} fields={fields} />
        <Facts>
          <Fact name="Name">
            <bdi dir="auto">{ad.name}</bdi>
          </Fact>
          <Fact name="Website">
            <WebLink url={ad.websiteUrl} text={ad.websiteUrl} size="sm" />
          </Fact>
          {filled.map(({ field, value, copy }) => (
            <Fact key={field.id} name={<FieldName field={field} />}>
              <FieldContentView field={field} value={value} copy={copy} />
            </Fact>
          ))}
          {empty.length === 0 ? null : (
            <Fact name="Left empty">
              <Text component="span" size="sm" c="dimmed">
                {empty.map(({ field }) => field.name).join(", ")}
              </Text>
            </Fact>
          )}
        </Facts>
      </div>
    </Section>
  );
}

function FieldName({ field }: { readonly field: Field }) {
  return (
    <>
      {field.name}
      {field.isPublisherOnly ? (
        <Badge
          variant="default"
          size="md"
          fz={11}
          tt="none"
          fw={500}
          mt={2}
          style={{ minWidth: "max-content" }}
        >
          Only you see this
        </Badge>
      ) : null}
    </>
  );
}

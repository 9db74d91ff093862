import { Badge } from "@mantine/core";
import type { Ad } from "#libs/contract/ad.ts";
import type { Field } from "#libs/contract/fields.ts";
import { listCreativeValues } from "../components/creative-values.ts";
import { Dimmed } from "../components/dimmed.tsx";
import { Fact, Facts } from "../components/lists.tsx";
import { Section } from "../components/section.tsx";
import { WebLink } from "../components/web-link.tsx";
import { CreativePreview } from "../review/creative-preview.tsx";
import { FieldContentView } from "../review/field-content-view.tsx";
import classes from "./ads.module.css";

/** The ad as visitors see it, with all its values. */
export function CreativeSection({ ad, fields }: { readonly ad: Ad; readonly fields: readonly Field[] }) {
  const values = listCreativeValues(fields, ad.meta);
  const filled = values.filter(({ value }) => value !== undefined);
  const empty = values.filter(({ field, value }) => value === undefined && !field.isPublisherOnly);
  return (
    <Section title="Ad content">
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
            <Fact name="Not filled in">
              <Dimmed span>{empty.map(({ field }) => field.name).join(", ")}</Dimmed>
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

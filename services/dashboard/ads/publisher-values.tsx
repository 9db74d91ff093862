import type { Ad } from "#libs/contract/ad.ts";
import type { Field } from "#libs/contract/fields.ts";
import { isBlank, readDefault } from "#libs/domain/field-content.ts";
import { api, query } from "../api/client.ts";
import { useWorkspace } from "../api/workspace.ts";
import { listCreativeValues } from "../components/creative-values.ts";
import { DraftForm, useDraftForm, useLeaveGuard } from "../components/forms/draft-form.tsx";
import { Section } from "../components/section.tsx";
import { TypedInput } from "../fields/typed-input.tsx";

interface PublisherValuesProps {
  readonly ad: Ad;
  readonly fields: readonly Field[];
}

/** The publisher's own values of an ad, to be filled in. Nothing if the workspace has no fields for them. */
export function PublisherValues({ ad, fields }: PublisherValuesProps) {
  const ours = fields.filter(({ isPublisherOnly }) => isPublisherOnly);
  if (ours.length === 0) return null;
  return (
    <Section title="Internal fields" text="For your team. Never shown to advertisers or visitors.">
      <ValuesForm ad={ad} fields={ours} />
    </Section>
  );
}

function ValuesForm({ ad, fields }: PublisherValuesProps) {
  const { id: workspaceId } = useWorkspace();
  const oneAd = { workspaceId, adId: ad.id };
  const state = useDraftForm(draftOf(ad, fields), {
    // Not since what the ad has by now: a value that somebody else has changed meanwhile stays theirs.
    check: ({ meta }, start) => ({ input: changesOf(meta, start.meta, fields) }),
    send: (meta) => api.ads.update({ ...oneAd, meta }),
    done: "Internal fields saved",
    reload: [query.ads.list.key()],
    onDone: (saved, client) => {
      client.setQueryData(query.ads.get.queryKey({ input: oneAd }), saved);
      state.restart(draftOf(saved, fields));
    },
  });
  useLeaveGuard(state.isDirty);
  const { draft, errors, change } = state;
  return (
    <DraftForm state={state} label="Internal fields" action="Save">
      {fields.map(({ id, key, name, type, options, description, isRequired }) => (
        <TypedInput
          key={id}
          type={type}
          options={options}
          label={name}
          {...(description === "" ? {} : { description })}
          isRequired={isRequired}
          value={draft.meta[key] ?? ""}
          error={errors[`meta.${key}`]}
          onChange={(value) => change({ meta: { ...draft.meta, [key]: value } })}
        />
      ))}
    </DraftForm>
  );
}

/** The values as texts by field key, at the paths of the server's errors. */
function draftOf({ meta }: Pick<Ad, "meta">, fields: readonly Field[]) {
  const values = listCreativeValues(fields, meta);
  return { meta: Object.fromEntries(values.map(({ field, value }) => [field.key, textOf(value)])) };
}

type Draft = ReturnType<typeof draftOf>["meta"];

/** The values that differ, as the API takes them. */
function changesOf(draft: Draft, start: Draft, fields: readonly Field[]) {
  return fields
    .filter(({ key }) => draft[key] !== start[key])
    .map(({ id: fieldId, key, type }) => {
      const text = draft[key] ?? "";
      return { fieldId, value: isBlank(text) ? null : readDefault(type, text) };
    });
}

function textOf(value: unknown): string {
  return value === undefined ? "" : String(value);
}

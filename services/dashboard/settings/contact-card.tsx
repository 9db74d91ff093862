import { TextInput } from "@mantine/core";
import { type WorkspaceSettings, workspaceSettings } from "#libs/contract/settings.ts";
import { useMay } from "../api/workspace.ts";
import { checkInput } from "../components/forms/check-input.ts";
import { DraftForm } from "../components/forms/draft-form.tsx";
import { Fact, Facts } from "../components/lists.tsx";
import { Notice } from "../components/notice.tsx";
import { Section } from "../components/section.tsx";
import { QueryView } from "../components/states.tsx";
import { useSettings, useSettingsForm } from "./setting-switch.tsx";

/** Where advertisers reach the publisher. */
export function ContactCard() {
  const mayChange = useMay("Owner");
  const query = useSettings();
  return (
    <Section
      isSplit
      title="Contact"
      text="Shown on your advertising pages and in emails to advertisers. Their replies go to this address."
    >
      <QueryView query={query}>
        {(settings) =>
          mayChange ? (
            <ContactForm settings={settings} />
          ) : (
            <Facts>
              <Fact name="Contact email">{settings.contactEmail ?? "None"}</Fact>
            </Facts>
          )
        }
      </QueryView>
    </Section>
  );
}

function draftOf({ contactEmail }: WorkspaceSettings) {
  return { contactEmail: contactEmail ?? "" };
}

const shape = workspaceSettings.pick({ contactEmail: true });

function checkContact({ contactEmail }: ReturnType<typeof draftOf>) {
  const address = contactEmail.trim();
  return checkInput(shape, { contactEmail: address === "" ? null : address });
}

function ContactForm({ settings }: { readonly settings: WorkspaceSettings }) {
  const state = useSettingsForm(settings, draftOf, {
    check: checkContact,
    done: "Contact saved",
  });
  return (
    <DraftForm state={state} label="Contact" action="Save" isDisabled={!state.isDirty}>
      {settings.contactEmail === null ? (
        <Notice icon="info-circle">
          We recommend adding one. Without it, advertisers have no way to ask you about their ad or a payment.
        </Notice>
      ) : null}
      <TextInput
        label="Contact email"
        type="email"
        inputMode="email"
        description="Leave it empty to show none."
        placeholder="ads@example.com"
        {...state.bind("contactEmail")}
      />
    </DraftForm>
  );
}

import { NativeSelect } from "@mantine/core";
import type { WorkspaceSettings } from "#libs/contract/settings.ts";
import { CHARGE_AT, type ChargeAt, MOST_GRACE_DAYS } from "#libs/domain/settings.ts";
import { useMay } from "../api/workspace.ts";
import { DraftForm } from "../components/forms/draft-form.tsx";
import { Fact, Facts } from "../components/lists.tsx";
import { oneOf } from "../components/search.ts";
import { Section } from "../components/section.tsx";
import { QueryView } from "../components/states.tsx";
import { useSettings, useSettingsForm } from "./setting-switch.tsx";

const CHARGE_LABEL = "Charge advertisers";
const GRACE_LABEL = "Grace period";
const CHARGE_WORDS: Readonly<Record<ChargeAt, string>> = {
  purchase: "At purchase",
  approval: "When you approve their ad",
};

/** When advertisers are charged, and how long a failed renewal leaves an ad live. */
export function ChargingCard() {
  const mayChange = useMay("Owner");
  const query = useSettings();
  return (
    <Section isSplit title="Billing">
      <QueryView query={query}>
        {(settings) =>
          mayChange ? (
            <ChargingForm settings={settings} />
          ) : (
            <Facts>
              <Fact name={CHARGE_LABEL}>{CHARGE_WORDS[settings.chargeAt]}</Fact>
              <Fact name={GRACE_LABEL}>{graceWords(settings.renewalGraceDays)}</Fact>
            </Facts>
          )
        }
      </QueryView>
    </Section>
  );
}

function draftOf({ chargeAt, renewalGraceDays }: WorkspaceSettings) {
  return { chargeAt, renewalGraceDays };
}

function ChargingForm({ settings }: { readonly settings: WorkspaceSettings }) {
  const state = useSettingsForm(settings, draftOf, {
    check: (draft) => ({ input: draft }),
    done: "Billing saved",
  });
  const { draft, errors, change } = state;
  return (
    <DraftForm state={state} label="Billing" action="Save" isDisabled={!state.isDirty}>
      <NativeSelect
        label={CHARGE_LABEL}
        description="With approval, the card is saved at checkout and the first period starts once you approve the ad. Applies to new purchases."
        data={CHARGE_AT.map((value) => ({ value, label: CHARGE_WORDS[value] }))}
        value={draft.chargeAt}
        error={errors.chargeAt}
        onChange={({ currentTarget }) => {
          const chargeAt = oneOf(CHARGE_AT, currentTarget.value);
          if (chargeAt !== null) change({ chargeAt });
        }}
      />
      <NativeSelect
        label={GRACE_LABEL}
        description="How long an ad stays live after a renewal payment fails."
        data={GRACE_DAYS.map((days) => ({ value: String(days), label: graceWords(days) }))}
        value={String(draft.renewalGraceDays)}
        error={errors.renewalGraceDays}
        onChange={({ currentTarget }) => change({ renewalGraceDays: Number(currentTarget.value) })}
      />
    </DraftForm>
  );
}

const GRACE_DAYS = Array.from({ length: MOST_GRACE_DAYS + 1 }, (_none, days) => days);

function graceWords(days: number): string {
  if (days === 0) return "None: the ad goes off immediately";
  return days === 1 ? "1 day" : `${days} days`;
}

import { Button, Group, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { callAuth } from "../api/auth-api.ts";
import { sessionQuery, usePerson } from "../api/session.ts";
import { StateBadge } from "../components/badges.tsx";
import { Dialog } from "../components/dialog.tsx";
import { notifyDone } from "../components/notify.ts";
import { Section } from "../components/section.tsx";
import { PasswordDialog } from "./password-dialog.tsx";
import { RecoveryCodes, readCodes, TwoFactorSetup } from "./two-factor-setup.tsx";

type Step = "set-up" | "replace" | "switch-off" | { readonly codes: readonly string[] } | null;

/** Shows whether two-factor sign-in is on, and lets the person change that. */
export function TwoFactorSection() {
  const { hasTwoFactor } = usePerson();
  const queryClient = useQueryClient();
  const [step, setStep] = useState<Step>(null);
  const close = () => setStep(null);
  const reload = () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });

  const replace = async (password: string) => {
    const answer = await callAuth("POST", "/two-factor/generate-backup-codes", { password });
    setStep({ codes: readCodes(answer) });
  };
  const switchOff = async (password: string) => {
    await callAuth("POST", "/two-factor/disable", { password });
    await reload();
    close();
    notifyDone("Two-factor sign-in is off");
  };

  return (
    <Section
      isPlain
      title="Two-factor sign-in"
      text="After your password, signing in asks for a code from an authenticator app on your phone."
      actions={
        hasTwoFactor ? <StateBadge color="teal" text="On" /> : <StateBadge color="gray.6" text="Off" />
      }
    >
      <Group gap="sm">
        {hasTwoFactor ? (
          <>
            <Button variant="default" onClick={() => setStep("replace")}>
              Replace recovery codes
            </Button>
            <Button variant="default" onClick={() => setStep("switch-off")}>
              Switch off
            </Button>
          </>
        ) : (
          <Button variant="default" onClick={() => setStep("set-up")}>
            Set up two-factor sign-in
          </Button>
        )}
      </Group>
      {step === "set-up" ? <TwoFactorSetup onClose={close} onEnabled={reload} /> : null}
      {step === "replace" ? (
        <PasswordDialog
          title="Replace recovery codes"
          text="You get ten new codes. Your current ones stop working."
          action="Replace codes"
          onClose={close}
          send={replace}
        />
      ) : null}
      {step === "switch-off" ? (
        <PasswordDialog
          title="Switch off two-factor sign-in"
          text="Your password alone will be enough to sign in. Your recovery codes stop working."
          action="Switch off"
          isDangerous
          onClose={close}
          send={switchOff}
        />
      ) : null}
      {step !== null && typeof step === "object" ? (
        <Dialog title="Your new recovery codes" onClose={close} closesByClick={false}>
          <RecoveryCodes codes={step.codes} onDone={close} />
        </Dialog>
      ) : null}
      <Text size="sm" c="dimmed">
        {hasTwoFactor ? "New or lost phone? Switch it off, then set it up again. " : ""}API keys are not
        affected.
      </Text>
    </Section>
  );
}

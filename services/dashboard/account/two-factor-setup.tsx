import { Center, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { CopyField } from "../editing/copy-field.tsx";
import { callPeople } from "../shell/people-api.ts";
import { ShortForm } from "../sign-in/short-form.tsx";
import { useSubmission } from "../sign-in/submission.ts";
import { CodeInput } from "./code-input.tsx";
import { Dialog } from "./dialog.tsx";
import { explainRefusal } from "./explain-refusal.ts";
import { PasswordDialog } from "./password-dialog.tsx";
import { QrCode } from "./qr-code.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { readSecret, secretIn, type TwoFactorSecret } from "./two-factor-answers.ts";

interface TwoFactorSetupProps {
  readonly onClose: () => void;
  readonly onEnabled: () => Promise<void>;
}

/** Sets up an authenticator: the password, then the QR code and a first code, then the recovery codes. */
export function TwoFactorSetup({ onClose, onEnabled }: TwoFactorSetupProps) {
  const [secret, setSecret] = useState<TwoFactorSecret | null>(null);
  const [isEnabled, setEnabled] = useState(false);

  if (secret === null) {
    return (
      <PasswordDialog
        title="Set up two-factor sign-in"
        text="You need an authenticator app, such as the one of your password manager."
        action="Continue"
        onClose={onClose}
        send={async (password) =>
          setSecret(readSecret(await callPeople("POST", "/two-factor/enable", { password })))
        }
      />
    );
  }
  if (!isEnabled) {
    const finish = async () => {
      setEnabled(true);
      await onEnabled();
    };
    return <FirstCode otpauth={secret.otpauth} onClose={onClose} onConfirmed={finish} />;
  }
  return (
    <Dialog title="Two-factor sign-in is on" onClose={onClose} closesByClick={false}>
      <RecoveryCodes codes={secret.codes} onDone={onClose} />
    </Dialog>
  );
}

interface FirstCodeProps {
  readonly otpauth: string;
  readonly onClose: () => void;
  readonly onConfirmed: () => Promise<void>;
}

function FirstCode({ otpauth, onClose, onConfirmed }: FirstCodeProps) {
  const state = useSubmission(
    { code: "" },
    {
      send: async ({ code }) => {
        await callPeople("POST", "/two-factor/verify-totp", { code });
        await onConfirmed();
      },
      explain: explainRefusal,
    },
  );
  const { draft, errors, change } = state;
  return (
    <Dialog title="Scan this with your authenticator" onClose={onClose} closesByClick={false}>
      <Stack gap="md">
        <Center>
          <QrCode text={otpauth} label="QR code for your authenticator" />
        </Center>
        <CopyField label="Or type this key" value={secretIn(otpauth)} done="Key copied" />
        <Text size="sm">Then enter the code that it shows.</Text>
        <ShortForm state={state} action="Switch on">
          <CodeInput
            label="Six-digit code"
            value={draft.code}
            error={errors.code}
            onChange={(code) => change({ code })}
          />
        </ShortForm>
      </Stack>
    </Dialog>
  );
}

import { Button, Center, Group, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { encode } from "uqr";
import { callAuth, valueIn } from "../api/auth-api.ts";
import { CodeToCopy, CopyField } from "../components/copy.tsx";
import { Dialog } from "../components/dialog.tsx";
import { CodeInput } from "../components/forms/inputs.tsx";
import { ShortForm, useSubmission } from "../components/forms/short-form.tsx";
import { Notice } from "../components/notice.tsx";
import { PasswordDialog } from "./password-dialog.tsx";

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
        text="You need an authenticator app, such as the one in your password manager."
        action="Continue"
        onClose={onClose}
        send={async (password) =>
          setSecret(readSecret(await callAuth("POST", "/two-factor/enable", { password })))
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
        await callAuth("POST", "/two-factor/verify-totp", { code });
        await onConfirmed();
      },
    },
  );
  return (
    <Dialog title="Scan this with your authenticator" onClose={onClose} closesByClick={false}>
      <Center>
        <QrCode text={otpauth} label="QR code for your authenticator" />
      </Center>
      <CopyField label="Or type this key" value={secretIn(otpauth)} done="Key copied" />
      <Text size="sm">Then enter the code it shows.</Text>
      <ShortForm state={state} action="Switch on">
        <CodeInput label="Six-digit code" {...state.bind("code")} />
      </ShortForm>
    </Dialog>
  );
}

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** Shows recovery codes, which are never shown again. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  return (
    <>
      <Notice color="yellow" icon="alert-triangle" title="Save these recovery codes">
        This is the only time they’re shown. Each one signs you in once if you lose your authenticator.
      </Notice>
      <CodeToCopy code={codes.join("\n")} label="Recovery codes" action="Copy codes" />
      <Group justify="flex-end">
        <Button onClick={onDone}>I’ve saved them</Button>
      </Group>
    </>
  );
}

const SIZE = 200;
/** The empty border that scanners need, in modules. */
const QUIET_ZONE = 4;

/** Draws a QR code in the browser, so that no other service sees the text. Always black on white, for scanners. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, path } = useMemo(() => {
    const code = encode(text, { border: QUIET_ZONE });
    const dark = code.data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")));
    return { size: code.size, path: dark.join("") };
  }, [text]);
  return (
    <svg role="img" aria-label={label} width={SIZE} height={SIZE} viewBox={`0 0 ${size} ${size}`}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}

interface TwoFactorSecret {
  readonly otpauth: string;
  readonly codes: readonly string[];
}

/** The secret in a response of better-auth. Throws if there is none. */
function readSecret(answer: unknown): TwoFactorSecret {
  const otpauth = valueIn(answer, "totpURI");
  if (typeof otpauth !== "string") throw new Error("the answer has no secret");
  return { otpauth, codes: readCodes(answer) };
}

/** The recovery codes in a response of better-auth. Throws if there are none. */
export function readCodes(answer: unknown): readonly string[] {
  const codes = valueIn(answer, "backupCodes");
  if (!Array.isArray(codes)) throw new Error("the answer has no recovery codes");
  return codes.filter((one) => typeof one === "string");
}

/** The key for authenticators that cannot scan, in groups of four. */
function secretIn(otpauth: string): string {
  const secret = new URL(otpauth).searchParams.get("secret") ?? "";
  return secret.replace(/.{4}(?=.)/g, "$& ");
}

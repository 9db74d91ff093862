import { Button, Stack } from "@mantine/core";
import { IconFingerprint } from "@tabler/icons-react";
import { useState } from "react";
import { explainRefusal } from "../account/explain-refusal.ts";
import { signInWithPasskey, whyNoPasskeys } from "../account/passkeys.ts";
import { messageOf } from "../shell/problems.ts";
import { FormNote } from "./form-note.tsx";

/** Signs in with a passkey; nothing where the browser has none for this page. */
export function PasskeyButton({ onSignedIn }: { readonly onSignedIn: (answer: unknown) => void }) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  if (whyNoPasskeys() !== null) return null;

  const signIn = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const answer = await signInWithPasskey();
      if (answer !== null) onSignedIn(answer);
    } catch (error) {
      setProblem(explainRefusal(error) ?? messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack gap="sm">
      <Button
        variant="default"
        loading={isBusy}
        leftSection={<IconFingerprint size={18} aria-hidden />}
        onClick={() => void signIn()}
      >
        Sign in with a passkey
      </Button>
      <FormNote color="red">{problem}</FormNote>
    </Stack>
  );
}

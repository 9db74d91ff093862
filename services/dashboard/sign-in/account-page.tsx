import { Stack, Title } from "@mantine/core";
import { DataSection } from "../account/data-section.tsx";
import { EmailSection } from "../account/email-section.tsx";
import { PasskeysSection } from "../account/passkeys-section.tsx";
import { TwoFactorSection } from "../account/two-factor-section.tsx";
import { Frame } from "../shell/frame.tsx";
import { LinkTo } from "../shell/links.tsx";
import { usePerson } from "../shell/session.ts";
import { NameForm } from "./name-form.tsx";
import { PasswordForm } from "./password-form.tsx";
import { ThemeChoice } from "./theme-choice.tsx";

/** What belongs to a person and to no workspace. */
export function AccountPage() {
  const { email } = usePerson();
  return (
    <Frame
      title="Your account"
      text={email}
      width={520}
      footer={<LinkTo to="/">Back to your workspaces</LinkTo>}
    >
      <Stack gap="xl">
        <NameForm />
        <EmailSection />
        <section aria-labelledby="password">
          <Title order={2} size="h5" id="password" mb="sm">
            Password
          </Title>
          <PasswordForm />
        </section>
        <TwoFactorSection />
        <PasskeysSection />
        <section aria-labelledby="theme">
          <Title order={2} size="h5" id="theme" mb="sm">
            Theme
          </Title>
          <ThemeChoice />
        </section>
        <DataSection />
      </Stack>
    </Frame>
  );
}

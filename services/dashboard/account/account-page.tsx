import {
  type MantineColorScheme,
  Paper,
  SegmentedControl,
  Stack,
  useMantineColorScheme,
} from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { callAuth } from "../api/auth-api.ts";
import { codeOf } from "../api/problems.ts";
import { sessionQuery, usePerson } from "../api/session.ts";
import { Dimmed } from "../components/dimmed.tsx";
import { checkNewPassword, NameInput, PasswordField } from "../components/forms/inputs.tsx";
import { ShortForm, useSubmission } from "../components/forms/short-form.tsx";
import { Frame } from "../components/frame.tsx";
import { LinkTo } from "../components/links.tsx";
import { notifyDone } from "../components/notify.ts";
import { Page } from "../components/page.tsx";
import { Section } from "../components/section.tsx";
import { DataSection } from "./data-section.tsx";
import { EmailSection } from "./email-section.tsx";
import { PasskeysSection } from "./passkeys-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { TwoFactorSection } from "./two-factor-section.tsx";

/** The settings of a person, beside the navigation of the workspace that they come from. */
export function AccountPage() {
  const { email } = usePerson();
  const { workspaceId } = useParams({ strict: false });
  if (workspaceId !== undefined) {
    return (
      <Page title="Your account">
        <Paper withBorder p={{ base: "md", sm: "lg" }} maw={720}>
          <Dimmed mb="lg">{email}</Dimmed>
          <Sections />
        </Paper>
      </Page>
    );
  }
  return (
    <Frame
      title="Your account"
      text={email}
      width={520}
      footer={<LinkTo to="/">Back to your workspaces</LinkTo>}
    >
      <Sections />
    </Frame>
  );
}

function Sections() {
  return (
    <Stack gap="xl">
      <NameForm />
      <EmailSection />
      <Section isPlain title="Password">
        <PasswordForm />
      </Section>
      <TwoFactorSection />
      <PasskeysSection />
      <SessionsSection />
      <Section isPlain title="Theme">
        <ThemeChoice />
      </Section>
      <DataSection />
    </Stack>
  );
}

function NameForm() {
  const person = usePerson();
  const queryClient = useQueryClient();
  const state = useSubmission(
    { name: person.name },
    {
      send: async ({ name }) => {
        await callAuth("POST", "/update-user", { name });
        queryClient.setQueryData(sessionQuery.queryKey, () => ({ ...person, name: name.trim() }));
        notifyDone("Name saved");
      },
    },
  );
  return (
    <ShortForm state={state} action="Save name" button={{ variant: "default", w: "fit-content" }}>
      <NameInput {...state.bind("name")} />
    </ShortForm>
  );
}

const EMPTY = { currentPassword: "", newPassword: "" };

/** Changes the password, which ends the person's other sessions. */
function PasswordForm() {
  const { email } = usePerson();
  const state = useSubmission(EMPTY, {
    check: ({ newPassword }) => checkNewPassword("newPassword", newPassword),
    send: async (passwords) => {
      await callAuth("POST", "/change-password", passwords);
      state.restart(EMPTY);
      notifyDone("Password changed. You’re signed out everywhere else.");
    },
    explain: (error) => (codeOf(error) === "INVALID_PASSWORD" ? "The current password is wrong." : null),
  });
  return (
    <ShortForm state={state} action="Change password" button={{ variant: "default", w: "fit-content" }}>
      {/* Tells password managers which account the password belongs to. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField label="Current password" {...state.bind("currentPassword")} />
      <PasswordField label="New password" isNew {...state.bind("newPassword")} />
    </ShortForm>
  );
}

const SCHEMES: { value: MantineColorScheme; label: string }[] = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "System" },
];

function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      aria-label="Theme"
      fullWidth
      data={SCHEMES}
      value={colorScheme}
      onChange={(chosen) => setColorScheme(SCHEMES.find(({ value }) => value === chosen)?.value ?? "auto")}
    />
  );
}

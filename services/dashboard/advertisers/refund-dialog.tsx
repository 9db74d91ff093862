import { List, NativeSelect, Radio, Stack, Textarea, TextInput } from "@mantine/core";
import { useRef } from "react";
import type { Invoice } from "#libs/contract/invoices.ts";
import { REFUND_REASONS } from "#libs/domain/invoice.ts";
import { LONGEST } from "#libs/domain/limits.ts";
import { countCharacters } from "#libs/domain/storable-text.ts";
import { api, query } from "../api/client.ts";
import { useWorkspace } from "../api/workspace.ts";
import { amountExample } from "../components/amount-text.ts";
import { Dialog } from "../components/dialog.tsx";
import { formatMoney } from "../components/format.ts";
import { DraftForm, useDraftForm } from "../components/forms/draft-form.tsx";
import { newKey } from "../components/new-key.ts";
import { checkRefund, EMPTY_REFUND, REASON_WORDS, type RefundInput } from "./refund-draft.ts";

interface RefundDialogProps {
  readonly invoice: Invoice;
  /** What can be refunded. */
  readonly left: number;
  readonly name: string;
  readonly onClose: () => void;
}

/** Says what a refund does, asks how much and why, and makes it. */
export function RefundDialog({ invoice, left, name, onClose }: RefundDialogProps) {
  const { id: workspaceId } = useWorkspace();
  const { id: invoiceId, currency } = invoice;
  const keyOf = useIntent();
  const state = useDraftForm(EMPTY_REFUND, {
    check: (draft) => checkRefund(draft, left, currency),
    send: (input) =>
      api.invoices.refund(
        { workspaceId, invoiceId, ...input },
        { context: { idempotencyKey: keyOf(input) } },
      ),
    done: (_invoice, { amount }) => `${formatMoney(amount, currency)} refunded`,
    reload: [query.invoices.key(), query.advertisers.key()],
    onDone: onClose,
  });
  const { draft, errors, change, bind } = state;
  const all = formatMoney(left, currency);
  return (
    <Dialog title={`Refund invoice ${name}`} size="lg" onClose={onClose}>
      <List size="sm" spacing={6}>
        <List.Item>
          The money goes back to the advertiser’s card. Banks take up to 10 days to show it.
        </List.Item>
        <List.Item>This doesn’t cancel the subscription.</List.Item>
        <List.Item>
          This can’t be undone. The advertiser gets an email with the amount, the reason and the note.
        </List.Item>
      </List>
      <DraftForm
        // Only a part has an input that shows what is wrong with the amount.
        state={draft.extent === "all" ? { ...state, problem: state.problem ?? errors.amount ?? null } : state}
        label={`Refund invoice ${name}`}
        action={draft.extent === "all" ? `Refund ${all}` : "Refund"}
        onCancel={onClose}
      >
        <Radio.Group
          label="How much"
          value={draft.extent}
          onChange={(value) => change({ extent: value === "part" ? "part" : "all" })}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="all" label={`Full refund: ${all}`} data-autofocus />
            <Radio value="part" label="Partial refund" />
          </Stack>
        </Radio.Group>
        {draft.extent === "part" ? (
          <TextInput
            label={`Amount in ${currency.toUpperCase()}`}
            description={`At most ${all}`}
            required
            inputMode="decimal"
            autoComplete="off"
            placeholder={amountExample(currency)}
            {...bind("amount")}
          />
        ) : null}
        <NativeSelect
          label="Reason"
          data={[
            { value: "", label: "No reason" },
            ...REFUND_REASONS.map((value) => ({ value, label: REASON_WORDS[value] })),
          ]}
          {...bind("reason")}
        />
        <Textarea
          label="Note to the advertiser"
          description={`Optional. ${countCharacters(draft.note.trim())} of ${LONGEST.refundNote} characters`}
          autosize
          minRows={2}
          maxRows={8}
          value={draft.note}
          error={errors.note}
          onChange={({ currentTarget }) => change({ note: currentTarget.value })}
        />
      </DraftForm>
    </Dialog>
  );
}

/** The idempotency key of an input: trying the same one again after a failure is the same refund. */
function useIntent(): (input: RefundInput) => string {
  const last = useRef({ text: "", key: "" });
  return (input) => {
    const text = JSON.stringify(input);
    if (last.current.text !== text) last.current = { text, key: newKey() };
    return last.current.key;
  };
}

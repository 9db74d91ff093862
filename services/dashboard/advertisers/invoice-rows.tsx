import { Box, Button, Select, type SelectProps, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import type { Invoice } from "#libs/contract/invoices.ts";
import { INVOICE_STATUSES, type InvoiceStatus } from "#libs/domain/invoice.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { StateBadge } from "../components/badges.tsx";
import { Dimmed } from "../components/dimmed.tsx";
import { formatDate, formatMoney } from "../components/format.ts";
import { LinkTo } from "../components/links.tsx";
import { WebLink } from "../components/web-link.tsx";
import { amountLeft, INVOICE_WORDS, invoiceNotes } from "./invoice-words.ts";
import { RefundDialog } from "./refund-dialog.tsx";

const ANY = "";

interface StatusSelectProps extends Pick<SelectProps, "size" | "w"> {
  readonly value: InvoiceStatus | undefined;
  /** Blank for any. */
  readonly onChange: (chosen: string | null) => void;
}

/** Narrows a list of invoices by their status. */
export function InvoiceStatusSelect({ value, ...select }: StatusSelectProps) {
  return (
    <Select
      aria-label="Invoice status"
      allowDeselect={false}
      data={[
        { value: ANY, label: "Any status" },
        ...INVOICE_STATUSES.map((status) => ({ value: status, label: INVOICE_WORDS[status].text })),
      ]}
      value={value ?? ANY}
      {...select}
    />
  );
}

interface InvoiceRowsProps {
  readonly invoices: readonly Invoice[];
  /** Whether each row names its advertiser. */
  readonly isOfAll?: boolean;
}

/** Invoices with what was refunded, and buttons to refund more. */
export function InvoiceRows({ invoices, isOfAll = false }: InvoiceRowsProps) {
  return (
    <Table aria-label="Invoices" className="tight" verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Invoice</Table.Th>
          {isOfAll ? <Table.Th visibleFrom="sm">Advertiser</Table.Th> : null}
          <Table.Th visibleFrom="md">Period</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th ta="end">Total</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {invoices.map((invoice) => (
          <InvoiceRow key={invoice.id} invoice={invoice} isOfAll={isOfAll} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function InvoiceRow({ invoice, isOfAll }: { readonly invoice: Invoice; readonly isOfAll: boolean }) {
  const { number, hostedUrl, issuedAt, periodStart, periodEnd, status, total, currency } = invoice;
  const name = number ?? "No number yet";
  const notes = invoiceNotes(invoice);
  const period = `${formatDate(periodStart)} – ${formatDate(periodEnd)}`;
  return (
    <Table.Tr style={{ verticalAlign: "top", fontVariantNumeric: "tabular-nums" }}>
      <Table.Td style={{ overflowWrap: "anywhere" }}>
        {hostedUrl === null ? (
          <Text size="sm">{name}</Text>
        ) : (
          <WebLink url={hostedUrl} text={name} size="sm" />
        )}
        <Dimmed size="xs">{formatDate(issuedAt)}</Dimmed>
        <Dimmed size="xs" hiddenFrom="md">
          For {period}
        </Dimmed>
        {isOfAll ? (
          <Box hiddenFrom="sm">
            <AdvertiserLink advertiser={invoice.advertiser} />
          </Box>
        ) : null}
      </Table.Td>
      {isOfAll ? (
        <Table.Td visibleFrom="sm" style={{ overflowWrap: "anywhere" }}>
          <AdvertiserLink advertiser={invoice.advertiser} />
        </Table.Td>
      ) : null}
      <Table.Td visibleFrom="md">
        <Text size="sm">{period}</Text>
      </Table.Td>
      <Table.Td>
        <Stack gap={2} align="flex-start">
          <StateBadge {...INVOICE_WORDS[status]} />
          {notes.map((note) => (
            <Dimmed key={note} size="xs">
              {note}
            </Dimmed>
          ))}
        </Stack>
      </Table.Td>
      <Table.Td ta="end" style={{ whiteSpace: "nowrap" }}>
        {formatMoney(total, currency)}
        <RefundButton invoice={invoice} name={name} />
      </Table.Td>
    </Table.Tr>
  );
}

/** For those who may decide about money, while something is left to refund. */
function RefundButton({ invoice, name }: { readonly invoice: Invoice; readonly name: string }) {
  const mayRefund = useMay("Manager");
  const [isOpen, setOpen] = useState(false);
  const left = amountLeft(invoice);
  return (
    <>
      {mayRefund && left > 0 ? (
        <Button
          display="block"
          ms="auto"
          mt={4}
          variant="default"
          size="compact-xs"
          aria-label={`Refund invoice ${name}`}
          onClick={() => setOpen(true)}
        >
          Refund
        </Button>
      ) : null}
      {isOpen ? (
        <RefundDialog invoice={invoice} left={left} name={name} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

function AdvertiserLink({ advertiser: { id: advertiserId, name } }: Pick<Invoice, "advertiser">) {
  const { id: workspaceId } = useWorkspace();
  return (
    <LinkTo to="/w/$workspaceId/advertisers/$advertiserId" params={{ workspaceId, advertiserId }} size="sm">
      <bdi dir="auto">{name}</bdi>
    </LinkTo>
  );
}

import { Stack, Table, Text } from "@mantine/core";
import { StateBadge } from "../ads/badges.tsx";
import { WebLink } from "../ads/web-link.tsx";
import { formatDate, formatMoney } from "../shell/format.ts";
import { INVOICE_WORDS, type Invoice, invoiceNotes } from "./invoice-words.ts";

/** Invoices as a table; on a phone, with their period below the number. */
export function InvoiceRows({ invoices }: { readonly invoices: readonly Invoice[] }) {
  return (
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Invoice</Table.Th>
          <Table.Th visibleFrom="md">Period</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th ta="end">Total</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {invoices.map((invoice) => (
          <InvoiceRow key={invoice.id} invoice={invoice} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function InvoiceRow({ invoice }: { readonly invoice: Invoice }) {
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
        <Text size="xs" c="dimmed">
          {formatDate(issuedAt)}
        </Text>
        <Text size="xs" c="dimmed" hiddenFrom="md">
          For {period}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Text size="sm">{period}</Text>
      </Table.Td>
      <Table.Td>
        <Stack gap={2} align="flex-start">
          <StateBadge {...INVOICE_WORDS[status]} />
          {notes.map((note) => (
            <Text key={note} size="xs" c="dimmed">
              {note}
            </Text>
          ))}
        </Stack>
      </Table.Td>
      <Table.Td ta="end" style={{ whiteSpace: "nowrap" }}>
        {formatMoney(total, currency)}
      </Table.Td>
    </Table.Tr>
  );
}

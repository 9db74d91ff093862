import { Button, Group, Select, Stack, Table, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Invoice } from "#libs/contract/invoices.ts";
import { INVOICE_STATUSES } from "#libs/domain/invoice.ts";
import { query } from "../api/client.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { StateBadge } from "../components/badges.tsx";
import { Dimmed } from "../components/dimmed.tsx";
import { DownloadButton } from "../components/download-button.tsx";
import { formatDate, formatMoney } from "../components/format.ts";
import { PagedList } from "../components/paged-list.tsx";
import { oneOf } from "../components/search.ts";
import { Section } from "../components/section.tsx";
import { WebLink } from "../components/web-link.tsx";
import { amountLeft, INVOICE_WORDS, invoiceNotes, invoicesFile } from "./invoice-words.ts";
import { RefundDialog } from "./refund-dialog.tsx";

const ANY = "";

/** The invoices of an advertiser with their refunds, also as a file. */
export function InvoicesSection({ advertiserId }: { readonly advertiserId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { invoices: status, page = 1 } = useSearch({
    from: "/signed-in/w/$workspaceId/advertisers/$advertiserId",
  });
  const navigate = useNavigate({ from: "/w/$workspaceId/advertisers/$advertiserId" });
  const invoices = useQuery(
    query.invoices.list.queryOptions({
      input: { workspaceId, advertiserId, page, ...(status === undefined ? {} : { status }) },
      placeholderData: keepPreviousData,
    }),
  );
  const choose = (value: string | null) => {
    const chosen = oneOf(INVOICE_STATUSES, value);
    const search = chosen === null ? {} : { invoices: chosen };
    void navigate({ search, replace: true, resetScroll: false });
  };

  return (
    <Section
      title="Invoices"
      actions={
        <Group gap="sm">
          <Select
            aria-label="Invoice status"
            size="xs"
            w={140}
            allowDeselect={false}
            data={[
              { value: ANY, label: "Any status" },
              ...INVOICE_STATUSES.map((value) => ({ value, label: INVOICE_WORDS[value].text })),
            ]}
            value={status ?? ANY}
            onChange={choose}
          />
          <DownloadButton size="xs" href={invoicesFile(workspaceId, advertiserId, status)}>
            Download CSV
          </DownloadButton>
        </Group>
      }
    >
      <PagedList
        query={invoices}
        what="invoice"
        empty={
          <Dimmed>
            {status === undefined
              ? "No invoices yet."
              : `No ${INVOICE_WORDS[status].text.toLowerCase()} invoices.`}
          </Dimmed>
        }
        onPage={(chosen) =>
          void navigate({ search: (now) => ({ ...now, page: chosen }), resetScroll: false })
        }
      >
        {(rows) => <InvoiceRows invoices={rows} />}
      </PagedList>
    </Section>
  );
}

function InvoiceRows({ invoices }: { readonly invoices: readonly Invoice[] }) {
  return (
    <Table aria-label="Invoices" className="tight" verticalSpacing="sm">
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
        <Dimmed size="xs">{formatDate(issuedAt)}</Dimmed>
        <Dimmed size="xs" hiddenFrom="md">
          For {period}
        </Dimmed>
      </Table.Td>
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

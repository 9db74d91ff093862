import { Group } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { INVOICE_STATUSES } from "#libs/domain/invoice.ts";
import { query } from "../api/client.ts";
import { useWorkspace } from "../api/workspace.ts";
import { Dimmed } from "../components/dimmed.tsx";
import { DownloadButton } from "../components/download-button.tsx";
import { PagedList } from "../components/paged-list.tsx";
import { oneOf } from "../components/search.ts";
import { Section } from "../components/section.tsx";
import { InvoiceRows, InvoiceStatusSelect } from "./invoice-rows.tsx";
import { INVOICE_WORDS, invoicesFile } from "./invoice-words.ts";

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
          <InvoiceStatusSelect size="xs" w={140} value={status} onChange={choose} />
          <DownloadButton size="xs" href={invoicesFile(workspaceId, { advertiserId, status })}>
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

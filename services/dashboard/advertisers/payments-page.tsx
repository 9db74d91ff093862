import { Card } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { query } from "../api/client.ts";
import { useWorkspace } from "../api/workspace.ts";
import { DownloadButton } from "../components/download-button.tsx";
import classes from "../components/lists.module.css";
import { Page } from "../components/page.tsx";
import { PagedList } from "../components/paged-list.tsx";
import { SearchBox } from "../components/search-box.tsx";
import { Empty } from "../components/states.tsx";
import { InvoiceRows, InvoiceStatusSelect } from "./invoice-rows.tsx";
import { invoicesFile } from "./invoice-words.ts";
import { readPaymentsSearch } from "./search.ts";

/** All invoices of the workspace, with refunds and disputes. */
export function PaymentsPage() {
  const { id: workspaceId } = useWorkspace();
  const search = useSearch({ from: "/signed-in/w/$workspaceId/payments" });
  const { q, status, page = 1 } = search;
  const navigate = useNavigate({ from: "/w/$workspaceId/payments" });
  const view = { ...(q === undefined ? {} : { query: q }), ...(status === undefined ? {} : { status }) };
  const invoices = useQuery(
    query.invoices.list.queryOptions({
      input: { workspaceId, page, ...view },
      placeholderData: keepPreviousData,
    }),
  );
  const change = (changed: Readonly<Record<string, unknown>>) =>
    void navigate({
      search: readPaymentsSearch({ ...search, page: 1, ...changed }),
      replace: changed.page === undefined,
      resetScroll: changed.page !== undefined,
    });
  const isFiltered = q !== undefined || status !== undefined;
  const isEmpty = invoices.data?.total === 0 && !isFiltered;
  return (
    <Page
      title="Payments"
      actions={
        isEmpty ? null : <DownloadButton href={invoicesFile(workspaceId, view)}>Download CSV</DownloadButton>
      }
    >
      {isEmpty ? null : (
        <search className={classes.bar}>
          <SearchBox
            label="Search payments"
            placeholder="Number or advertiser"
            value={q ?? ""}
            onChange={(text) => change({ q: text })}
          />
          <InvoiceStatusSelect value={status} onChange={(chosen) => change({ status: chosen })} />
        </search>
      )}
      <PagedList
        query={invoices}
        what="invoice"
        empty={
          isFiltered ? (
            <Empty title="No matching invoices" text="Choose another status or search." />
          ) : (
            <Empty title="No payments yet" text="Invoices appear here once an advertiser buys a tier." />
          )
        }
        onPage={(chosen) => change({ page: chosen })}
      >
        {(rows) => (
          <Card withBorder padding={0}>
            <InvoiceRows invoices={rows} isOfAll />
          </Card>
        )}
      </PagedList>
    </Page>
  );
}

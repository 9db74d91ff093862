import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { INVOICE_STATUSES } from "#libs/domain/invoice.ts";
import { oneOf } from "../ads/ad-filters.ts";
import { Pager } from "../ads/pager.tsx";
import { Section } from "../ads/section.tsx";
import { query } from "../shell/client.ts";
import { QueryView } from "../shell/states.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import { InvoiceRows } from "./invoice-rows.tsx";
import { INVOICE_WORDS, invoicesFile } from "./invoice-words.ts";

const ANY = "";

/** What an advertiser was billed, with what was given back, and the same as a file. */
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
          <Button
            component="a"
            href={invoicesFile(workspaceId, advertiserId, status)}
            download
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} aria-hidden />}
          >
            Download CSV
          </Button>
        </Group>
      }
    >
      <QueryView query={invoices}>
        {(found) =>
          found.total === 0 ? (
            <Text size="sm" c="dimmed">
              {status === undefined
                ? "Nothing has been billed yet."
                : `No invoice is ${INVOICE_WORDS[status].text.toLowerCase()}.`}
            </Text>
          ) : (
            <Stack gap="md" aria-busy={invoices.isFetching} opacity={invoices.isPlaceholderData ? 0.6 : 1}>
              <InvoiceRows invoices={found.items} />
              <Pager
                {...found}
                what={["invoice", "invoices"]}
                onChange={(chosen) =>
                  void navigate({ search: (now) => ({ ...now, page: chosen }), resetScroll: false })
                }
              />
            </Stack>
          )
        }
      </QueryView>
    </Section>
  );
}

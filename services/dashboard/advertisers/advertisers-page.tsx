import { Box, Button, Stack } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Pager } from "../ads/pager.tsx";
import { SearchBox } from "../ads/search-box.tsx";
import { query } from "../shell/client.ts";
import { Page } from "../shell/page.tsx";
import { Empty, QueryView } from "../shell/states.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import { AdvertiserRows } from "./advertiser-rows.tsx";

/** Everybody who has bought in this workspace, newest first. */
export function AdvertisersPage() {
  const { id: workspaceId } = useWorkspace();
  const { q = "", page = 1 } = useSearch({ from: "/signed-in/w/$workspaceId/advertisers" });
  const navigate = useNavigate({ from: "/w/$workspaceId/advertisers" });
  const advertisers = useQuery(
    query.advertisers.list.queryOptions({
      input: { workspaceId, page, ...(q === "" ? {} : { query: q }) },
      placeholderData: keepPreviousData,
    }),
  );
  const search = (text: string) =>
    void navigate({ search: text === "" ? {} : { q: text }, replace: true, resetScroll: false });

  return (
    <Page title="Advertisers">
      <Box component="search" maw={420}>
        <SearchBox
          label="Search advertisers"
          placeholder="Name or e-mail address"
          value={q}
          onChange={search}
        />
      </Box>
      <QueryView query={advertisers}>
        {(found) =>
          found.total === 0 ? (
            <NoAdvertisers isSearched={q !== ""} onClear={() => search("")} />
          ) : (
            <Stack
              gap="md"
              aria-busy={advertisers.isFetching}
              opacity={advertisers.isPlaceholderData ? 0.6 : 1}
            >
              <AdvertiserRows advertisers={found.items} />
              <Pager
                {...found}
                what={["advertiser", "advertisers"]}
                onChange={(chosen) => void navigate({ search: (now) => ({ ...now, page: chosen }) })}
              />
            </Stack>
          )
        }
      </QueryView>
    </Page>
  );
}

function NoAdvertisers({
  isSearched,
  onClear,
}: {
  readonly isSearched: boolean;
  readonly onClear: () => void;
}) {
  return isSearched ? (
    <Empty
      title="No advertiser matches"
      text="The search looks for part of a name or of an e-mail address."
      action={
        <Button variant="default" onClick={onClear}>
          Clear search
        </Button>
      }
    />
  ) : (
    <Empty
      title="No advertisers yet"
      text="Whoever buys a tier appears here, with what they pay and what they run."
    />
  );
}

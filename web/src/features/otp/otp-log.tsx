import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { limits } from '#contract/limits.js';
import { otpChannelNames, otpChannels } from '#contract/otp-channels.js';
import { ACCOUNT_KEY_NAME, type OtpView } from '#contract/otp.js';
import { otpStates } from '#contract/otp-statuses.js';
import { regions } from '#contract/regions.js';
import { namedKeysQuery } from '../../api/account.js';
import { otpLogQuery, otpsKey } from '../../api/otp.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { useRefresh } from '../../dashboard/live/live-events.js';
import { paths, sendCodePath } from '../../paths.js';
import { Button } from '../../ui/button.js';
import { type Column, CursorPager, DataTable, useCursor, When } from '../../ui/data-table.js';
import { Select } from '../../ui/field.js';
import { DateRange } from '../../ui/date-range.js';
import { chipOf, chipOfDays, FilterBar, FilterPlace, SearchField } from '../../ui/filter-fields.js';
import { PhoneNumber } from '../../ui/phone-number.js';
import { EmptyView } from '../../ui/view.js';
import { OtpDialog } from './otp-dialog.js';
import { useRegions } from '../site/use-regions.js';
import { hasChannels } from './code-steps.js';
import { CurlOfCode } from './curl-of-code.js';
import { ChannelMark, Country, keyText } from './otp-log-cells.js';
import { chosenOf, filtersIn, noFilters, type OtpFilters, queryOf, searchFor } from './otp-filters.js';
import { otpStateQuery } from './otp-settings.js';
import { ArrivalLabel, OtpStateLabel, stateWords } from './otp-state-label.js';
import styles from './otp.module.css';

const KEPT = `Codes are kept for ${limits.otpRememberedHours} hours after they have ended.`;

/** The account's codes, newest first; the address names the filters and the code that is open. */
export function OtpLog() {
  const [address, setAddress] = useSearchParams();
  const { filters, faults } = filtersIn(address);
  const shown = address.get('code') ?? '';
  const open = (code: string) => setAddress({ ...chosenOf(filters), code }, { preventScrollReset: true });
  const close = () => setAddress(chosenOf(filters), { replace: true, preventScrollReset: true });
  const filter = (chosen: OtpFilters) => setAddress(chosenOf(chosen), { replace: true, preventScrollReset: true });
  const key = JSON.stringify(filters);
  return (
    <>
      <Filters filters={filters} faults={faults} onFilter={filter} />
      <Codes key={key} filters={filters} onFilter={filter} onOpen={open} />
      {shown !== '' && <OtpDialog otpId={shown} onClose={close} />}
    </>
  );
}

/** Usual countries: codes may have been sent there before the operator closed a country. */
const usual = new Set(regions.filter(({ otp }) => otp).map(({ iso2 }) => iso2));

interface FiltersProps {
  readonly filters: OtpFilters;
  readonly onFilter: (filters: OtpFilters) => void;
}

function Filters({ filters, faults, onFilter }: FiltersProps & { faults: readonly string[] }) {
  const { data: namedKeys } = useQuery(namedKeysQuery);
  const { data: settings } = useQuery(otpStateQuery);
  // The table below requests the codes; this query only checks whether there are any.
  const { data } = useQuery({ ...otpLogQuery(queryOf(noFilters)), enabled: false });
  const offered = useRegions().filter(({ iso2, otp }) => otp || usual.has(iso2));
  const chosen = Object.keys(chosenOf(filters)).length;
  if (chosen === 0 && faults.length === 0 && data?.otps.length === 0 && data.nextCursor === null) return null;
  const { number, text, status, channel, country, key, days, from, to } = filters;
  const countries = [['', 'All'], ...offered.map(({ iso2, country: name }) => [iso2, name] as const)] as const;
  const keys = [
    ['', 'All'],
    [ACCOUNT_KEY_NAME, 'Account key'],
    ...(namedKeys?.keys ?? []).map(({ id: keyId, name }) => [keyId, name] as const),
  ] as const;
  const hasChoice = channel !== '' || (settings?.channels.length ?? 1) > 1;
  const change = (changed: Partial<OtpFilters>) => onFilter({ ...filters, ...changed });
  return (
    <FilterBar
      isSearched={number !== '' || text !== ''}
      chips={[
        ...chipOf('Status', status, states, () => change({ status: '' })),
        ...chipOf('Channel', channel, channelChoices, () => change({ channel: '' })),
        ...chipOf('Country', country, countries, () => change({ country: '' })),
        ...chipOf('Key', key, keys, () => change({ key: '' })),
        ...chipOfDays({ days, from, to }, change),
      ]}
      faults={faults}
      onClear={() => onFilter(noFilters)}
      search={
        <SearchField
          label="Search"
          placeholder="Phone number, id or reference"
          value={number || text}
          maxLength={limits.searchCharactersMax}
          onChange={(typed) => change(searchFor(typed))}
        />
      }
    >
      <FilterPlace>
        <Select label="Status" value={status} options={states} onChange={(value) => change({ status: value })} />
      </FilterPlace>
      {hasChoice && (
        <FilterPlace>
          <Select
            label="Channel"
            value={channel}
            options={channelChoices}
            onChange={(value) => change({ channel: value })}
          />
        </FilterPlace>
      )}
      <FilterPlace>
        <Select label="Country" value={country} options={countries} onChange={(value) => change({ country: value })} />
      </FilterPlace>
      <FilterPlace>
        <Select label="Key" value={key} options={keys} onChange={(value) => change({ key: value })} />
      </FilterPlace>
      <FilterPlace>
        <DateRange value={filters} onChange={change} />
      </FilterPlace>
    </FilterBar>
  );
}

const states = [['', 'All'], ...otpStates.map((one) => [one, stateWords[one]] as const)] as const;
const channelChoices = [['', 'All'], ...otpChannels.map((one) => [one, otpChannelNames[one]] as const)] as const;

interface CodesProps extends FiltersProps {
  readonly onOpen: (otpId: string) => void;
}

function Codes({ filters, onFilter, onOpen }: CodesProps) {
  const { cursor, page, onBack, onNext } = useCursor<string>();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...otpLogQuery({ ...queryOf(filters), cursor }),
    refetchOnMount: 'always',
  });
  useRefresh(otpsKey);
  const isEmpty = data?.otps.length === 0 && !isPlaceholderData;
  if (isEmpty && page === 1 && data.nextCursor === null)
    return Object.keys(chosenOf(filters)).length > 0 ? <NoMatch filters={filters} onFilter={onFilter} /> : <NoCodes />;
  return (
    <>
      {error && <FailureNotice error={error} what="Your codes could not be loaded." onRetry={() => void refetch()} />}
      {(data ?? !error) && (
        <>
          {isEmpty ? (
            <p role="status">
              {data.nextCursor === null
                ? 'No more codes.'
                : 'No matches in the codes searched so far. Choose Next to search earlier ones.'}
            </p>
          ) : (
            <DataTable
              label="Codes"
              columns={columnsOpening(onOpen)}
              rows={data?.otps}
              keyOf={({ otp_id: id }) => id}
              isBusy={!data || isPlaceholderData}
              placesKept={10}
            />
          )}
          <CursorPager page={page} next={data?.nextCursor ?? undefined} onBack={onBack} onNext={onNext} />
          <p className={styles.text}>{KEPT}</p>
        </>
      )}
    </>
  );
}

/** Links to the history, which keeps messages longer than codes. */
function NoMatch({ filters, onFilter }: FiltersProps) {
  const { number } = filters;
  const history = filters.number === '' ? '' : `?${new URLSearchParams({ number: filters.number }).toString()}`;
  return (
    <div className={styles.none}>
      <p role="status">No codes match these filters.</p>
      {number !== '' && (
        <Button onClick={() => onFilter({ ...filters, number: '', text: number })}>
          Search for the reference “{number}”
        </Button>
      )}
      <p className={styles.text}>
        {KEPT} The messages of earlier ones are in{' '}
        <Link to={`${paths.dashboardMessages}${history}`}>
          {history === '' ? 'SMS History' : `SMS History of ${filters.number}`}
        </Link>
        .
      </p>
    </div>
  );
}

function NoCodes() {
  return (
    <EmptyView
      title="No codes yet."
      text={`Each code that you send is listed here: whether it arrived, was verified, or expired. ${KEPT}`}
    >
      <CurlOfCode />
      <p>
        Or <Link to={sendCodePath}>send one from here</Link>.
      </p>
    </EmptyView>
  );
}

function columnsOpening(open: (otpId: string) => void): readonly Column<OtpView>[] {
  return [
    {
      title: 'Time',
      phone: 'time',
      cell: ({ created_at: at }, before) => <When at={at} before={before?.created_at} />,
    },
    {
      title: 'Recipient',
      phone: 'title',
      cell: ({ otp_id: id, to }) => (
        <button type="button" className={styles.open} data-open onClick={() => open(id)}>
          <PhoneNumber number={to} />
        </button>
      ),
    },
    { title: 'Status', phone: 'state', cell: ({ status }) => <OtpStateLabel status={status} /> },
    {
      title: 'Message',
      phone: 'text',
      cell: (otp) => (
        <>
          <ArrivalLabel otp={otp} />
          {hasChannels(otp) && <ChannelMark otp={otp} />}
        </>
      ),
    },
    { title: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts.toLocaleString('en-US') },
    { title: 'Country', cell: ({ country }) => <Country iso2={country} /> },
    { title: 'Key', cell: (otp) => <bdi className={styles.key}>{keyText(otp)}</bdi> },
  ];
}

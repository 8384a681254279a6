import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { limits } from '#contract/limits.js';
import { ACCOUNT_KEY_NAME, type OtpView } from '#contract/otp.js';
import { otpStates } from '#contract/otp-statuses.js';
import { regions } from '#contract/regions.js';
import { keysQuery, namedKeysQuery } from '../../api/account.js';
import { otpLogQuery, otpsKey } from '../../api/otp.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { useRefresh } from '../../dashboard/live/live-events.js';
import { paths } from '../../paths.js';
import { site } from '../../site.js';
import { CodeWindow } from '../../ui/code.js';
import { type Column, CursorPager, DataTable, useCursor, When } from '../../ui/data-table.js';
import { Select } from '../../ui/field.js';
import { DateRange } from '../../ui/date-range.js';
import { FilterBar, FilterPlace, SearchField } from '../../ui/filter-fields.js';
import { PhoneNumber } from '../../ui/phone-number.js';
import { EmptyView } from '../../ui/view.js';
import { OtpDialog } from './otp-dialog.js';
import { useRegions } from '../site/use-regions.js';
import { Country, keyText } from './otp-log-cells.js';
import { chosenOf, filtersIn, noFilters, type OtpFilters, queryOf } from './otp-filters.js';
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
      <Codes key={key} filters={filters} onOpen={open} />
      {shown !== '' && <OtpDialog otpId={shown} onClose={close} />}
    </>
  );
}

/** Codes may have been sent there before the operator stopped it. */
const usual = new Set(regions.filter(({ otp }) => otp).map(({ iso2 }) => iso2));

interface FiltersProps {
  readonly filters: OtpFilters;
  readonly onFilter: (filters: OtpFilters) => void;
}

function Filters({ filters, faults, onFilter }: FiltersProps & { faults: readonly string[] }) {
  const { data: keys } = useQuery(namedKeysQuery);
  const countries = useRegions().filter(({ iso2, otp }) => otp || usual.has(iso2));
  return (
    <FilterBar count={Object.keys(chosenOf(filters)).length} faults={faults} onClear={() => onFilter(noFilters)}>
      <FilterPlace width="wide">
        <SearchField
          label="Phone number"
          value={filters.number}
          inputMode="tel"
          maxLength={limits.searchedNumberCharactersMax}
          faultOf={(typed) => (typed === '' || /\d/.test(typed) ? undefined : 'Enter at least one digit.')}
          onChange={(number) => onFilter({ ...filters, number })}
        />
      </FilterPlace>
      <FilterPlace width="wide">
        <SearchField
          label="Id or reference"
          value={filters.text}
          maxLength={limits.searchCharactersMax}
          onChange={(text) => onFilter({ ...filters, text })}
        />
      </FilterPlace>
      <FilterPlace>
        <Select
          label="Status"
          value={filters.status}
          options={[['', 'All'], ...otpStates.map((one) => [one, stateWords[one]] as const)]}
          onChange={(status) => onFilter({ ...filters, status })}
        />
      </FilterPlace>
      <FilterPlace>
        <Select
          label="Country"
          value={filters.country}
          options={[['', 'All'], ...countries.map(({ iso2, country }) => [iso2, country] as const)]}
          onChange={(country) => onFilter({ ...filters, country })}
        />
      </FilterPlace>
      <FilterPlace>
        <Select
          label="Key"
          value={filters.key}
          options={[
            ['', 'All'],
            [ACCOUNT_KEY_NAME, 'Account key'],
            ...(keys?.keys ?? []).map(({ id: keyId, name }) => [keyId, name] as const),
          ]}
          onChange={(key) => onFilter({ ...filters, key })}
        />
      </FilterPlace>
      <FilterPlace>
        <DateRange value={filters} onChange={(days) => onFilter({ ...filters, ...days })} />
      </FilterPlace>
    </FilterBar>
  );
}

interface CodesProps {
  readonly filters: OtpFilters;
  readonly onOpen: (otpId: string) => void;
}

function Codes({ filters, onOpen }: CodesProps) {
  const { cursor, page, onBack, onNext } = useCursor<string>();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...otpLogQuery({ ...queryOf(filters), cursor }),
    refetchOnMount: 'always',
  });
  useRefresh(otpsKey);
  const isEmpty = data?.otps.length === 0 && !isPlaceholderData;
  if (isEmpty && page === 1 && data.nextCursor === null)
    return Object.keys(chosenOf(filters)).length > 0 ? <NoMatch filters={filters} /> : <NoCodes />;
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

/** Where older codes are: their messages are kept longer. */
function NoMatch({ filters }: { filters: OtpFilters }) {
  const history = filters.number === '' ? '' : `?${new URLSearchParams({ number: filters.number }).toString()}`;
  return (
    <div className={styles.none}>
      <p role="status">No codes match these filters.</p>
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
      <OtpCurl />
    </EmptyView>
  );
}

/** The shell command that sends a code: shown with the masked API key, copied with the real one. */
function OtpCurl() {
  const { data: keys } = useQuery(keysQuery);
  const command = (apiKey = 'YOUR_API_KEY') =>
    [`curl ${site.url}/api/sendotp`, '  --data-urlencode to=+12025550142', `  -d apikey=${apiKey}`].join(' \\\n');
  return (
    <CodeWindow title="Curl" code={[[command(keys?.apiKey)]]}>
      <code>{command(keys?.masked)}</code>
    </CodeWindow>
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
    { title: 'Message', phone: 'text', cell: (otp) => <ArrivalLabel otp={otp} /> },
    { title: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts.toLocaleString('en-US') },
    { title: 'Country', cell: ({ country }) => <Country iso2={country} /> },
    { title: 'Key', cell: (otp) => <bdi className={styles.key}>{keyText(otp)}</bdi> },
  ];
}

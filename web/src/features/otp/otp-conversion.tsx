import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { limits } from '#contract/limits.js';
import { otpChannelNames } from '#contract/otp-channels.js';
import type { OtpConversionAnswer } from '#contract/otp.js';
import { otpConversionCsvPath, otpConversionQuery, otpsKey } from '../../api/otp.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { useRefresh } from '../../dashboard/live/live-events.js';
import { ButtonLink } from '../../ui/button.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { DateRange } from '../../ui/date-range.js';
import { type Days, daysIn, isAll, spanOf } from '../../ui/days.js';
import { briefDayText } from '../../ui/format.js';
import { Card, Notice } from '../../ui/surface.js';
import { EmptyView } from '../../ui/view.js';
import { Country } from './otp-log-cells.js';
import styles from './otp.module.css';

const counts = [1, 7, limits.deliverabilityDaysDefault, 90];
const usualDays: Days = { days: String(limits.deliverabilityDaysDefault), from: '', to: '' };

/** Share of verified codes of the account, by country and day. */
export function OtpConversion() {
  const [address, setAddress] = useSearchParams();
  const { days: asked, fault } = daysIn(address, { isWhole: true, daysMax: limits.deliverabilityDaysMax });
  const days = isAll(asked) ? usualDays : asked;
  const span = spanOf(days);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...otpConversionQuery(span),
    refetchOnMount: 'always',
  });
  useRefresh(otpsKey);
  const choose = (chosen: Days) =>
    setAddress([['tab', 'conversion'], ...Object.entries(chosen).filter(([, value]) => value !== '')], {
      replace: true,
      preventScrollReset: true,
    });
  if (error && !data)
    return <FailureNotice error={error} what="The figures could not be loaded." onRetry={() => void refetch()} />;
  return (
    <>
      <div className={styles.line}>
        <search aria-label="Days">
          <DateRange value={days} counts={counts} isWhole daysMax={limits.deliverabilityDaysMax} onChange={choose} />
        </search>
        <ButtonLink to={otpConversionCsvPath(span)} reloadDocument download>
          Export CSV
        </ButtonLink>
      </div>
      {fault !== undefined && (
        <Notice kind="bad" role="status">
          {fault} These are the last {limits.deliverabilityDaysDefault} days.
        </Notice>
      )}
      {error && <FailureNotice error={error} what="The figures could not be updated." onRetry={() => void refetch()} />}
      {data?.sent === 0 ? (
        <EmptyView
          title="No codes were sent on these days."
          text="This page shows how many of the codes that you sent were verified. Codes of test keys do not count."
        />
      ) : (
        <Figures data={data} isBusy={!data || isPlaceholderData} />
      )}
    </>
  );
}

/** Number of codes, and of verified codes. */
type Converted = Pick<OtpConversionAnswer, 'sent' | 'verified' | 'verified_percent'>;

const number = (value: number) => value.toLocaleString('en-US');
const share = ({ verified_percent: percent }: Converted) => (percent === null ? '–' : `${percent.toFixed(1)}%`);

function Figures({ data, isBusy }: { data: OtpConversionAnswer | undefined; isBusy: boolean }) {
  const totals = [
    ['Conversion', data && share(data)],
    ['Codes sent', data && number(data.sent)],
    ['Verified', data && number(data.verified)],
  ] as const;
  return (
    <>
      <div className={styles.totals}>
        {totals.map(([title, figure]) => (
          <Card key={title}>
            <p className={styles.text}>{title}</p>
            <p className={styles.figure}>{figure ?? 'Loading...'}</p>
          </Card>
        ))}
      </div>
      <p className={styles.text}>
        A code counts on the day on which it was first sent, and once, however often it was sent again. One that is
        still pending counts as sent.
      </p>
      <div className={styles.beside}>
        <section className={styles.part} aria-label="By country">
          <h2 className={styles.title}>By country</h2>
          <DataTable
            label="By country"
            columns={countryColumns}
            rows={data?.countries}
            keyOf={({ country }) => country}
            isBusy={isBusy}
          />
        </section>
        {data && data.channels.length > 0 && <Channels rows={data.channels} isBusy={isBusy} />}
      </div>
      <section className={styles.part} aria-label="By day">
        <h2 className={styles.title}>By day</h2>
        <DataTable
          label="By day"
          columns={dayColumns}
          rows={data?.days.toReversed()}
          keyOf={({ day }) => day}
          isBusy={isBusy}
        />
      </section>
    </>
  );
}

type Channel = OtpConversionAnswer['channels'][number];

function Channels({ rows, isBusy }: { rows: readonly Channel[]; isBusy: boolean }) {
  return (
    <section className={styles.part} aria-label="By channel and country">
      <h2 className={styles.title}>By channel and country</h2>
      <DataTable
        label="By channel and country"
        columns={channelColumns}
        rows={rows}
        keyOf={({ channel, country }) => `${channel} ${country}`}
        isBusy={isBusy}
      />
      <p className={styles.below}>
        Only codes that were sent with channels: the steps that began, and those after which the code was entered.
      </p>
    </section>
  );
}

const convertedColumns: readonly Column<Converted>[] = [
  {
    title: 'Sent',
    isNumber: true,
    phone: 'text',
    cell: ({ sent }) => number(sent),
  },
  {
    title: 'Verified',
    isNumber: true,
    phone: 'time',
    cell: ({ verified }) => number(verified),
  },
  { title: 'Conversion', isNumber: true, phone: 'state', cell: share },
];

const countryColumns: readonly Column<OtpConversionAnswer['countries'][number]>[] = [
  { title: 'Country', phone: 'title', cell: ({ country }) => <Country iso2={country} /> },
  ...convertedColumns,
];

const channelColumns: readonly Column<Channel>[] = [
  {
    title: 'Channel and country',
    phone: 'title',
    cell: ({ channel, country }) => (
      <span className={styles.channel}>
        {otpChannelNames[channel]} <Country iso2={country} />
      </span>
    ),
  },
  ...convertedColumns,
];

const dayColumns: readonly Column<OtpConversionAnswer['days'][number]>[] = [
  { title: 'Day', phone: 'title', cell: ({ day }) => <time dateTime={day}>{briefDayText(day)}</time> },
  ...convertedColumns,
];

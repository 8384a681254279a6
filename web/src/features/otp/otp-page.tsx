import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { paths } from '../../paths.js';
import { ButtonLink } from '../../ui/button.js';
import { Notice } from '../../ui/surface.js';
import { Tabs } from '../../ui/tabs.js';
import { View } from '../../ui/view.js';
import { OtpConversion } from './otp-conversion.js';
import { OtpLog } from './otp-log.js';
import { SendCode } from './send-code.js';
import { OtpSettings, otpStateQuery } from './otp-settings.js';

const tabs = [
  { name: 'codes', title: 'Codes' },
  { name: 'send', title: 'Send a code' },
  { name: 'conversion', title: 'Conversion' },
  { name: 'settings', title: 'Settings and guard' },
] as const;
type Tab = (typeof tabs)[number]['name'];

const contents: Readonly<Record<Tab, () => React.ReactNode>> = {
  codes: OtpLog,
  send: SendCode,
  conversion: OtpConversion,
  settings: OtpSettings,
};

const settingsPath = `${paths.dashboardOtp}?tab=settings`;

/** The account's one-time passwords: their log, conversion and settings. */
export default function OtpPage() {
  const [address, setAddress] = useSearchParams();
  const tab = tabs.find(({ name }) => name === address.get('tab'))?.name ?? 'codes';
  const Content = contents[tab];
  return (
    <View
      title="One-time Passwords"
      lead="Whether your codes arrived and were verified. The codes themselves are never shown."
      actions={<ButtonLink to={paths.otp}>How it works</ButtonLink>}
    >
      {tab !== 'settings' && <PausedNotice />}
      <Tabs
        label="One-time Passwords"
        tabs={tabs}
        chosen={tab}
        onChoose={(name) => setAddress(name === 'codes' ? {} : { tab: name }, { replace: true })}
      >
        <Content />
      </Tabs>
    </View>
  );
}

function PausedNotice() {
  const { data } = useQuery(otpStateQuery);
  if (!data?.guard.suspicious) return null;
  return (
    <Notice kind="bad" role="status">
      Codes to some of your numbers are paused, because too few of them were verified.{' '}
      <Link to={settingsPath}>See the fraud guard</Link>
    </Notice>
  );
}

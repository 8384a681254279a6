import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { numbersQuery } from '../../api/numbers.js';
import { paths } from '../../paths.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { Tabs } from '../../ui/tabs.js';
import { View } from '../../ui/view.js';
import { BuyNumbers } from './buy-numbers.js';
import { OwnNumbers, ReleasedNumbers } from './own-numbers.js';
import { Pools } from './pools.js';

const tabs = [
  { name: 'yours', title: 'Yours' },
  { name: 'buy', title: 'Buy' },
  { name: 'pools', title: 'Pools' },
  { name: 'released', title: 'Released' },
] as const;
type Tab = (typeof tabs)[number]['name'];

const contents: Readonly<Record<Tab, (props: { readonly onBuy: () => void }) => React.ReactNode>> = {
  yours: OwnNumbers,
  buy: BuyNumbers,
  pools: Pools,
  released: ReleasedNumbers,
};

function tabIn(address: URLSearchParams): Tab {
  return tabs.find(({ name }) => name === address.get('tab'))?.name ?? 'yours';
}

/** The account's numbers, numbers for sale, and pools. The address names the tab. */
export default function NumbersPage() {
  const [address, setAddress] = useSearchParams();
  const tab = tabIn(address);
  const choose = (name: Tab) => {
    // A click chooses the tab twice: on focus, and again before the first choice is rendered.
    if (name === tabIn(new URLSearchParams(window.location.search))) return;
    setAddress(name === 'yours' ? {} : { tab: name }, { preventScrollReset: true });
  };
  const { data } = useQuery({ ...numbersQuery(), refetchOnMount: 'always' });
  const Content = contents[tab];
  return (
    <View
      title="Numbers"
      lead={
        'People get your messages from the same number every time, and their replies come to you alone.' +
        (data ? ` You have ${data.numbers.length} of up to ${data.numbers_max}.` : '')
      }
      actions={
        <>
          <ButtonLink to={paths.numbers}>How it works</ButtonLink>
          {/* Without numbers, the views themselves lead to the purchase. */}
          {tab !== 'buy' && data !== undefined && data.numbers.length > 0 && (
            <Button look="primary" onClick={() => choose('buy')}>
              Buy a number
            </Button>
          )}
        </>
      }
    >
      <Tabs label="Numbers" tabs={tabs} chosen={tab} onChoose={choose}>
        <Content onBuy={() => choose('buy')} />
      </Tabs>
    </View>
  );
}

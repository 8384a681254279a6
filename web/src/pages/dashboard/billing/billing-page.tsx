import { useState } from 'react';
import { Tabs } from '../../../dashboard/ui/tabs.js';
import { View } from '../../../dashboard/ui/view.js';
import { LedgerTable } from './ledger-table.js';
import { PaymentsTable } from './payments-table.js';

const tabs = [
  { name: 'payments', title: 'Payments' },
  { name: 'ledger', title: 'Credit ledger' },
] as const;

export default function BillingPage() {
  const [chosen, choose] = useState<(typeof tabs)[number]['name']>('payments');
  return (
    <View title="Billing History" lead="What you paid, and every movement of your credits. Dates are New York time.">
      <Tabs label="Histories" tabs={tabs} chosen={chosen} onChoose={choose}>
        {chosen === 'payments' ? <PaymentsTable /> : <LedgerTable />}
      </Tabs>
    </View>
  );
}

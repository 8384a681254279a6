import { useSearchParams } from 'react-router';
import { Tabs } from '../../ui/tabs.js';
import { View } from '../../ui/view.js';
import { BatchView } from './batch-view.js';
import { BatchList } from './batch-list.js';
import { BulkComposer } from './bulk-composer.js';

const tabs = [
  { name: 'new', title: 'New bulk' },
  { name: 'batches', title: 'Batches' },
] as const;

/** A batch if the address names one, or else the composer and the list of batches. */
export default function BulkPage() {
  const [address, setAddress] = useSearchParams();
  const batchId = address.get('id');
  if (batchId !== null) return <BatchView id={batchId} />;
  const chosen = address.get('tab') === 'batches' ? 'batches' : 'new';
  return (
    <View title="Send in Bulk" lead="Write one message, and send it to everyone in a list.">
      <Tabs
        label="Send in Bulk"
        tabs={tabs}
        chosen={chosen}
        onChoose={(tab) => setAddress(tab === 'batches' ? { tab } : {}, { replace: true, preventScrollReset: true })}
      >
        {chosen === 'new' ? <BulkComposer /> : <BatchList />}
      </Tabs>
    </View>
  );
}

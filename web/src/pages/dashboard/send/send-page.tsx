import { View } from '../../../dashboard/ui/view.js';
import { Composer } from './composer.js';

export default function SendPage() {
  return (
    <View title="Send SMS" lead="Write a message and see what it costs before it goes out.">
      <Composer />
    </View>
  );
}

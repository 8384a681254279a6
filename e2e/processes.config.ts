import { settingsOf } from './settings.js';

// Each of these measures time or kills processes: two at once would disturb each other.
export default settingsOf({
  name: 'processes',
  files: [
    'start-faults',
    'image',
    'two-processes',
    'three-workers',
    'redis-cluster',
    'fairness',
    'crash',
    'chaos',
    'carrier-faults',
    'stranger',
  ],
  workers: 1,
});

import { settingsOf } from './settings.js';

// Whole products that are killed, starved and lied to: two files at a time, each with processes of its own.
export default settingsOf({
  name: 'processes',
  // The longest first, so that neither of the two is left alone with it.
  files: [
    'chaos',
    'image',
    'crash',
    'carrier-faults',
    'postgres-failover',
    'redis-cluster',
    'pgbouncer',
    'three-workers',
    'two-processes',
    'start-faults',
  ],
  workers: 2,
});

import { settingsOf } from './settings.js';

// Customers and visitors of a product that nobody disturbs: two files at a time, each with a product of its own.
export default settingsOf({
  name: 'pages',
  files: [
    'pages',
    'dashboard-home',
    'dashboard-faults',
    'dashboard-looks',
    'dashboard-rows',
    'dashboard-money',
    'dashboard-messages',
    'dashboard-send',
    'samples',
    'documentation',
    'webhooks',
    'otp',
    'buying',
    'signing-in',
    'sign-in-pages',
  ],
  workers: 2,
});

import { settingsOf } from './settings.js';

// These hold the product to a time that its users are promised: nothing else may run beside them.
export default settingsOf({ name: 'alone', files: ['fairness', 'stranger'], workers: 1 });

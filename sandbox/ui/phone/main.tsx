import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { PhonePage } from './phone-page.js';

const room = document.getElementById('page');
if (room === null) throw new Error('phone.html has no element with the id "page".');
createRoot(room).render(
  <StrictMode>
    <PhonePage />
  </StrictMode>,
);

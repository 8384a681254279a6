import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { MailPage } from './mail-page.js';

const room = document.getElementById('page');
if (room === null) throw new Error('mail.html has no element with the id "page".');
createRoot(room).render(
  <StrictMode>
    <MailPage />
  </StrictMode>,
);

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { HooksPage } from './hooks-page.js';

const room = document.getElementById('page');
if (room === null) throw new Error('hooks.html has no element with the id "page".');
createRoot(room).render(
  <StrictMode>
    <HooksPage />
  </StrictMode>,
);

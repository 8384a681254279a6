import { llmsText } from '../../content/llms-text.server.js';

/** /llms.txt, written at build. */
export const loader = () => new Response(llmsText(), { headers: { 'Content-Type': 'text/plain; charset=utf-8' } });

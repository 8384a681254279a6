import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The public pages: built to dist/web, which the server serves. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: { outDir: '../dist/web', emptyOutDir: true, target: 'es2023' },
});

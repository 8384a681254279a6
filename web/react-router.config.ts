import type { Config } from '@react-router/dev/config';

/** A single-page app whose public pages are rendered at build. Built to dist/web/client, which the server serves. */
export default {
  appDirectory: 'src',
  buildDirectory: '../dist/web',
  ssr: false,
  prerender: ['/'],
  future: {
    v8_middleware: true,
    v8_splitRouteModules: true,
    v8_viteEnvironmentApi: true,
    v8_passThroughRequests: true,
    v8_trailingSlashAwareDataRequests: true,
  },
} satisfies Config;

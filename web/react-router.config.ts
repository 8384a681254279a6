import type { Config } from '@react-router/dev/config';
import { finishBuild } from './build/finish-build.js';
import { pagePaths } from './build/pages.js';

/**
 * The build writes an HTML file for every page to dist/web/client: public pages complete, dashboard pages in their
 * loading state. The server serves the pages it finds there.
 */
export default {
  appDirectory: 'src',
  buildDirectory: '../dist/web',
  ssr: false,
  prerender: [...pagePaths],
  buildEnd: finishBuild,
  future: {
    v8_middleware: true,
    v8_splitRouteModules: true,
    v8_viteEnvironmentApi: true,
    v8_passThroughRequests: true,
    v8_trailingSlashAwareDataRequests: true,
  },
} satisfies Config;

import type { Config } from '@react-router/dev/config';
import { finishBuild } from './build/finish-build.js';
import { pagePaths } from './src/page-paths.js';

/**
 * Every page becomes an HTML file at build, in dist/web/client: the public ones whole, the dashboard as its loading state. The
 * server knows a page by its file.
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

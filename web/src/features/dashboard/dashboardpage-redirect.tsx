import { type ClientLoaderFunctionArgs, redirect } from 'react-router';
import { paths } from '../../paths.js';

/** Redirects the old address /dashboardpage to the dashboard, keeping its query. */
export function clientLoader({ request }: ClientLoaderFunctionArgs): Response {
  return redirect(`${paths.dashboard}${new URL(request.url).search}`);
}

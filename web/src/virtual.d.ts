/** Provided by vite.config.ts. */
declare module 'virtual:flags' {
  const url: string;
  export default url;
}

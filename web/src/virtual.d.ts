/** Provided by build/flags.ts. */
declare module 'virtual:flags' {
  const url: string;
  export default url;
}

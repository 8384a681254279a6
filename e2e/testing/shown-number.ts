/** A US number as the dashboard shows it: '+1 415 555 2671'. */
export function shownNumber(number: string): string {
  return number.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '+1 $1 $2 $3');
}

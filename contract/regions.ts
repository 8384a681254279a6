/** A row of the region table. */
export interface Region {
  readonly country: string;
  /** ISO 3166-1 alpha-3. */
  readonly code: string;
  /** ISO 3166-1 alpha-2, as phone number libraries name countries. */
  readonly iso2: string;
  /** International calling code; with an area code if several countries share +1. */
  readonly areaCode: `+${string}`;
  /** Price of one segment, from 1. */
  readonly creditsPerSms: number;
  /** Messages to this country are accepted. */
  readonly active: boolean;
  /** One-time passwords may be sent to this country. */
  readonly otp: boolean;
  /** One-time passwords may be spoken in calls to this country: only where the operator has opened it. */
  readonly voice?: boolean;
}

/**
 * All countries by name, as a new installation has them; the operator can change the last three
 * fields. Source of credits and activity: product specification, section 9.
 */
export const regions: readonly Region[] = [
  { country: 'Argentina', code: 'ARG', iso2: 'AR', areaCode: '+54', creditsPerSms: 5, active: false, otp: false },
  { country: 'Australia', code: 'AUS', iso2: 'AU', areaCode: '+61', creditsPerSms: 3, active: true, otp: false },
  { country: 'Austria', code: 'AUT', iso2: 'AT', areaCode: '+43', creditsPerSms: 5, active: false, otp: false },
  { country: 'Bahamas', code: 'BHS', iso2: 'BS', areaCode: '+1 242', creditsPerSms: 3, active: false, otp: false },
  { country: 'Brazil', code: 'BRA', iso2: 'BR', areaCode: '+55', creditsPerSms: 3, active: false, otp: false },
  { country: 'Canada', code: 'CAN', iso2: 'CA', areaCode: '+1', creditsPerSms: 1, active: true, otp: true },
  { country: 'Chile', code: 'CHL', iso2: 'CL', areaCode: '+56', creditsPerSms: 4, active: false, otp: false },
  { country: 'China', code: 'CHN', iso2: 'CN', areaCode: '+86', creditsPerSms: 2, active: false, otp: false },
  { country: 'Colombia', code: 'COL', iso2: 'CO', areaCode: '+57', creditsPerSms: 3, active: false, otp: false },
  { country: 'Costa Rica', code: 'CRI', iso2: 'CR', areaCode: '+506', creditsPerSms: 3, active: false, otp: false },
  { country: 'Cyprus', code: 'CYP', iso2: 'CY', areaCode: '+357', creditsPerSms: 5, active: false, otp: false },
  { country: 'Denmark', code: 'DNK', iso2: 'DK', areaCode: '+45', creditsPerSms: 3, active: true, otp: false },
  { country: 'Finland', code: 'FIN', iso2: 'FI', areaCode: '+358', creditsPerSms: 5, active: false, otp: false },
  { country: 'France', code: 'FRA', iso2: 'FR', areaCode: '+33', creditsPerSms: 4, active: false, otp: false },
  { country: 'Germany', code: 'DEU', iso2: 'DE', areaCode: '+49', creditsPerSms: 5, active: true, otp: false },
  { country: 'Greece', code: 'GRC', iso2: 'GR', areaCode: '+30', creditsPerSms: 4, active: false, otp: false },
  { country: 'Hong Kong', code: 'HKG', iso2: 'HK', areaCode: '+852', creditsPerSms: 4, active: false, otp: false },
  { country: 'Hungary', code: 'HUN', iso2: 'HU', areaCode: '+36', creditsPerSms: 5, active: false, otp: false },
  { country: 'Iceland', code: 'ISL', iso2: 'IS', areaCode: '+354', creditsPerSms: 4, active: false, otp: false },
  { country: 'India', code: 'IND', iso2: 'IN', areaCode: '+91', creditsPerSms: 5, active: true, otp: false },
  { country: 'Ireland', code: 'IRL', iso2: 'IE', areaCode: '+353', creditsPerSms: 4, active: true, otp: false },
  { country: 'Italy', code: 'ITA', iso2: 'IT', areaCode: '+39', creditsPerSms: 5, active: true, otp: false },
  { country: 'Japan', code: 'JPN', iso2: 'JP', areaCode: '+81', creditsPerSms: 5, active: false, otp: false },
  { country: 'Latvia', code: 'LVA', iso2: 'LV', areaCode: '+371', creditsPerSms: 4, active: false, otp: false },
  { country: 'Liechtenstein', code: 'LIE', iso2: 'LI', areaCode: '+423', creditsPerSms: 2, active: false, otp: false },
  { country: 'Luxembourg', code: 'LUX', iso2: 'LU', areaCode: '+352', creditsPerSms: 4, active: true, otp: false },
  { country: 'Norway', code: 'NOR', iso2: 'NO', areaCode: '+47', creditsPerSms: 4, active: false, otp: false },
  { country: 'Poland', code: 'POL', iso2: 'PL', areaCode: '+48', creditsPerSms: 3, active: true, otp: false },
  { country: 'Portugal', code: 'PRT', iso2: 'PT', areaCode: '+351', creditsPerSms: 3, active: true, otp: false },
  { country: 'Puerto Rico', code: 'PRI', iso2: 'PR', areaCode: '+1 787', creditsPerSms: 3, active: false, otp: false },
  { country: 'Romania', code: 'ROU', iso2: 'RO', areaCode: '+40', creditsPerSms: 4, active: false, otp: false },
  { country: 'Singapore', code: 'SGP', iso2: 'SG', areaCode: '+65', creditsPerSms: 3, active: false, otp: false },
  { country: 'South Africa', code: 'ZAF', iso2: 'ZA', areaCode: '+27', creditsPerSms: 4, active: false, otp: false },
  { country: 'Spain', code: 'ESP', iso2: 'ES', areaCode: '+34', creditsPerSms: 5, active: true, otp: false },
  { country: 'Switzerland', code: 'CHE', iso2: 'CH', areaCode: '+41', creditsPerSms: 4, active: false, otp: false },
  { country: 'Taiwan', code: 'TWN', iso2: 'TW', areaCode: '+886', creditsPerSms: 3, active: false, otp: false },
  { country: 'Thailand', code: 'THA', iso2: 'TH', areaCode: '+66', creditsPerSms: 2, active: true, otp: false },
  { country: 'Turkey', code: 'TUR', iso2: 'TR', areaCode: '+90', creditsPerSms: 2, active: false, otp: false },
  { country: 'UK', code: 'GBR', iso2: 'GB', areaCode: '+44', creditsPerSms: 3, active: true, otp: false },
  { country: 'USA', code: 'USA', iso2: 'US', areaCode: '+1', creditsPerSms: 1, active: true, otp: true },
];

/** The typed settings of the Account page. */
export type SettingName = 'lowCredits' | 'dailySpend' | 'company' | 'address' | 'vatId';

/** Returns the properties of a setting's input: its name, and the fault of the typed value. */
export type InputOf = (name: SettingName) => { readonly name: SettingName; readonly fault: string | undefined };

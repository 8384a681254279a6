/** Texts of the faults that pages know before they ask the server; the error catalogue has the others. */
export const signUpTexts = {
  fields_mandatory: 'All fields are mandatory',
  email_invalid: 'Please enter a valid email address',
  password_invalid:
    'Password must be at least 8 characters. Use 1 uppercase, 1 lowercase, 1 number, and 1 special character.',
  custom_sign_in_off: 'Custom sign-in is currently unavailable. Use Sign in with Google.',
} as const;

/** How long a webhook may take to answer. */
export const webhookAnswerSeconds = 10;

/** When a webhook that fails is tried again, counted from the attempt before. */
export const webhookWaits = ['5 s', '5 min', '30 min', '2 h', '5 h', '10 h', '14 h', '20 h', '24 h'] as const;

/** A webhook that has done nothing but fail for so long is turned off. */
export const webhookFailingDaysMax = 5;

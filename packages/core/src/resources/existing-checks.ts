/**
 * What is looked for on an existing dashboard, which does not look at itself. Sources: behaviours "Contract drift" (versions), contract http-api
 * 3.13 (graphics cards) and 6.4 (nothing is counted without an address). Texts as those of `doctorChecks`.
 */
export const existingChecks = {
  endingRules: 'bad',
  noCsrf: 'bad',
  toldSecrets: 'bad',
  noBrake: 'warn',
  unknownVersion: 'warn',
  agentsPlain: 'warn',
  oldAgents: 'warn',
  endlessTokens: 'warn',
} as const satisfies Readonly<Record<string, 'bad' | 'warn'>>

/** The name of a check of an existing dashboard. */
export type ExistingCheck = keyof typeof existingChecks

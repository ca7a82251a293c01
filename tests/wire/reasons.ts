/** Reason that several rows share. */
export const deadToken = 'a sign-in that is over makes a guest and is not counted (decisions.md, Q22)'
/** Reason that several rows share. */
export const strict = 'stricter on purpose (decisions.md, "Stricter checks"): a name is needed'
/** Reason that several rows share. */
export const asUnknown = 'foreign ids answer as unknown ones (decisions.md)'
/** Reason that several rows share. */
export const oneTemplate = 'one built-in template (decisions.md)'
/** Where the list of templates stands. */
export const templates = /^body\.data\.frontend_templates$/
/** Reason that several rows share. */
export const ledger = 'ours answers the id of the run'
/** Reason that several rows share. */
export const later = 'an entity of a later version'

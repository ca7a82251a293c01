/** Reason that several rows share. */
export const firewall = 'the firewall comes in a later version: a dead token makes a guest'
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

// What only some runs need, as one chunk of the build: each further chunk that a start loads costs about a millisecond.
export { act } from './commands/acting.ts'
export { formatHelp } from './commands/help-format.ts'
export { changePassword } from './commands/password.ts'
export { save } from './commands/saving.ts'
export { showServerEvents, showServerHistory, showServiceHistory } from './commands/show-history.ts'
export { printRecord, printTable } from './commands/show-person.ts'
export { loadTranslator } from './texts.ts'

export * from './app.ts'
export {
  actionWords,
  bucketTexts,
  callsForEach,
  doneText,
  failureTexts,
  namedBy,
  partlyDone,
  refusalTexts,
  rowsAlready,
  runOnRows,
  splitRows,
} from './bulk.ts'
export * from './chords.ts'
export * from './cli.ts'
export * from './clock.ts'
export * from './confirm.ts'
export * from './dispatcher.ts'
export {
  createDryRun,
  type DryRun,
  describeCall,
  describeCalls,
  maskSecrets,
  namedTargets,
} from './dry-run.ts'
export { createEdits, decodedBody, type Edits, ifMatchCapability } from './edits.ts'
export * from './keymap.ts'
export * from './keys.ts'
export * from './line-words.ts'
export type { HostEntry, Listed } from './listed.ts'
export * from './read.ts'
export { askedOf, askHosts, createHostReading, type HostProgress, type HostReading, keepAsking } from './read-hosts.ts'
export * from './run.ts'
export * from './same.ts'
export * from './save.ts'
export * from './search/search.ts'
export type { OpenFolder, SearchEntry, SearchTarget } from './search/search-entries.ts'
export type { SearchGroup, SearchHit, SearchResult } from './search/search-groups.ts'
export type { Ranges } from './search/search-match.ts'
export * from './state.ts'
export * from './text.ts'
export * from './used-by.ts'

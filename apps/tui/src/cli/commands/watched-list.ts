import type { Resource } from '@qd/core/define'
import type { Sort } from '@qd/core/targets'
import type { Cli } from './cli.ts'
import type { FlagValues } from './command.ts'
import type { OutputChoice } from './flags/output-flags.ts'

/** A list that is watched: which records, in which order, and how they are written. `text` is a selection, empty for all. */
export interface WatchedList {
  resource: Resource
  text: string
  sort: Sort
  /** Most rows at once. */
  limit: number
  choice: OutputChoice
  flags: FlagValues
}

/** Writes a list and then what changes of it, until somebody ends it; returns the exit code. Errors: AppError of the first calls. */
export type WatchList = (cli: Cli, watched: WatchedList) => Promise<number>

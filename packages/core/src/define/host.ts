import type { LogSource } from '@qd/protocol/logs'
import type { Values } from './form-shape.ts'

/** How a host stands in a reading: whether its records are there, and why not. */
export const hostStates = [
  'read',
  'pending',
  'not supported',
  'refused',
  'offline',
  'timed out',
  'no permission',
  'failed',
] as const
export type HostState = (typeof hostStates)[number]

/** Most records that one host may have of one kind. */
export const maxHostRows = 20_000

/**
 * What a collector's output says: records without their server, and how many were left out beyond the maximum; or why there are none. `error`: in
 * the host’s words, what failed, or what part couldn’t be read.
 */
export type ParsedRows =
  | {
      readonly state: 'read'
      readonly rows: readonly Readonly<Record<string, unknown>>[]
      readonly left: number
      readonly error?: string
    }
  | { readonly state: 'not supported' | 'no permission' | 'timed out' | 'failed'; readonly error?: string }

/** What a resource has whose records live on hosts instead of in the database. */
export interface HostSource {
  /** The collector that an agent runs, by name. */
  readonly collector: string
  /** The collector's output to records. Pure and bounded: any text is valid input. */
  parser(): Promise<(text: string) => ParsedRows>
  /** A name for examples. */
  readonly example: string
  /** What people call a record instead of its whole name, such as `nginx` for `nginx.service`. Pure. */
  short?(name: string): string
  /** What its records are to logs, if their hosts keep lines of them: a source, whose name is the record’s. */
  readonly logs?: LogSource
  /** How long a reading counts as fresh, in ms. */
  readonly shownMs: number
  /** The server’s page shows the first of its records, each with these fields. */
  readonly onServer?: readonly string[]
  /** How often it is read for metrics of the server (`hostMetrics`), in ms. */
  readonly watchedMs?: number
  /** Actions that may take longer than agents give a program. They run as commands, with each word quoted. */
  readonly long?: readonly string[]
  /** Fields that may hold secrets: only callers who may run commands on the host get them. */
  readonly confidential?: readonly string[]
  /**
   * The argument vector that does an action to records of one host, with its checked arguments; null if the action runs nothing. Names follow `--`,
   * where the program takes that. Pure.
   */
  commands(): Promise<(action: string, names: readonly string[], args?: Values) => readonly string[] | null>
  /** The argument vector of a shell in a record; null for a name that none has. Pure. */
  shell?(name: string): readonly string[] | null
}

/** Which hosts without records are asked again early, and when at most, in ms. One that timed out costs its agent all the time it has. */
const retryMs: Partial<Record<HostState, number>> = {
  pending: 10_000,
  offline: 10_000,
  failed: 10_000,
  'timed out': 60_000,
}

/** How long what a host said counts as fresh, in ms. Server and clients ask again after this time. */
export const freshMs = ({ shownMs }: Pick<HostSource, 'shownMs'>, state: HostState): number =>
  Math.min(shownMs, retryMs[state] ?? shownMs)

import { containers, filesystems, packages, ports, processes, units } from './collector-scripts.ts'
import { shellQuote } from './shell-quote.ts'

/** What agents can be asked to collect, by name, and the POSIX shell script that does it. A server names a collector; it never sends a script to agents that know them. */
export const collectors = { units, containers, filesystems, packages, processes, ports } as const

/** One of `collectors`. */
export type CollectorName = keyof typeof collectors

/** Whether a text is the name of a collector. */
export const isCollectorName = (text: unknown): text is CollectorName =>
  typeof text === 'string' && Object.hasOwn(collectors, text)

/**
 * The whole script of a collector, for `sh -c`: with low priority, English output, no input, and nothing on stderr. It always exits with 0, as what it
 * printed tells more. `isLocked`: the host runs no commands for the server, so the script prints nothing that may hold secrets (`$locked` isn’t empty).
 * `kept`: the stamp of what the agent still has (`collectedFrom`), `$kept`.
 */
export const scriptOf = (name: CollectorName, isLocked = false, kept = ''): string => `locked=${isLocked ? 1 : ''}
kept=${kept}
renice -n 10 -p $$ >/dev/null 2>&1
exec 2>/dev/null </dev/null
export LC_ALL=C TZ=UTC SYSTEMD_COLORS=0
${collectors[name].trim()}
exit 0
`

/** The same as a command for agents that take no collectors. The host ends it at the limit: one that can’t is not read, as scripts that hang would pile up. */
export const collectCommandOf = (name: CollectorName): string => `script=${shellQuote(scriptOf(name))}
command -v timeout >/dev/null 2>&1 && exec timeout -s KILL ${collectLimits.timeMs / 1000} sh -c "$script"
echo '#@ unsupported'
`

/**
 * The line of an output that says what the rest was made from, as the checksum of the times of these files. A script that was given this stamp as
 * `kept` prints nothing behind it, and the agent adds what it has.
 */
export const collectedFrom = /^#@ from (\w+)\n/m

/** Limits of one reading, of the agent and of a server that sends the script as a command. */
export const collectLimits: Readonly<{ timeMs: number; bytes: number }> = { timeMs: 10_000, bytes: 2 ** 20 }

/** All that an agent answers instead of an output whose digest the server named as `known`. No collector prints it. */
export const collectUnchanged = '#@ unchanged'

/** Why an agent couldn’t collect: `data` of an unsuccessful result of `extensionTask.collect`. */
export const collectFailures = {
  unknown: 'unknown collector',
  timedOut: 'timed out',
  large: 'too large',
  unavailable: 'unavailable',
  killed: 'killed',
} as const

/** One of the texts of `collectFailures`. */
export type CollectFailure = (typeof collectFailures)[keyof typeof collectFailures]

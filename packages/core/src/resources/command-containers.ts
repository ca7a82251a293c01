import { containerParts } from './host-options.ts'

/** What a program of containers calls an action. */
const verbs: Readonly<Record<string, string>> = { start: 'start', stop: 'stop', restart: 'restart', remove: 'rm' }

/** One program for containers of one engine; for those of both, a fixed script that gets their names as arguments. */
export function containerCommand(action: string, refs: readonly string[]): readonly string[] | null {
  const verb = Object.hasOwn(verbs, action) ? verbs[action] : undefined
  const parts = refs.flatMap((ref) => containerParts(ref) ?? [])
  const [engine, ...others] = new Set(parts.map((part) => part.engine))
  if (verb === undefined || engine === undefined || parts.length < refs.length) return null
  if (others.length === 0) return [engine, verb, '--', ...parts.map(({ name }) => name)]
  const script = `failed=0; for ref; do "\${ref%%/*}" ${verb} -- "\${ref#*/}" || failed=$?; done; exit $failed`
  return ['sh', '-c', script, 'sh', ...refs]
}

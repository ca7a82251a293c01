import { type ChildProcess, spawn } from 'node:child_process'

/** Reads `+ GROUP` and `- GROUP`; when nobody can write any more, the groups that are left are killed. */
const script = `
left=
while read -r sign group; do
  rest=
  for one in $left; do [ "$one" = "$group" ] || rest="$rest $one"; done
  left=$rest
  [ "$sign" = + ] && left="$left $group"
done
for one in $left; do kill -9 "-$one"; done
`

let guard: ChildProcess | null = null

/**
 * A shell beside the agent that ends the process groups of its running commands when the agent is gone without having been
 * asked to end (SIGKILL): no system of ours takes children along (issue 11.8). Started with the first command; it ends
 * with the agent, however that ends.
 */
function tell(line: string): void {
  if (process.platform === 'win32') return
  if (guard === null) {
    // A group of its own, so that a Ctrl+C meant for the agent leaves it; none of the agent's secrets.
    guard = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], env: {} })
    const gone = () => {
      guard = null
    }
    guard.on('error', gone).on('exit', gone)
    guard.stdin?.on('error', () => undefined)
    guard.unref()
    ;(guard.stdin as { unref?(): void } | null)?.unref?.()
  }
  guard.stdin?.write(line)
}

/** Takes a process group into care. Returns what to call when it has ended. */
export function guardGroup(group: number): () => void {
  tell(`+ ${group}\n`)
  return () => tell(`- ${group}\n`)
}

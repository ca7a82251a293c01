import { type ChildProcess, spawn } from 'node:child_process'

/** Reads `+ GROUP` and `- GROUP`; when the pipe closes, it kills the groups that are left. */
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
 * asked to end (SIGKILL): no supported system ends children with their parent (issue 11.8). Started with the first command; it ends
 * with the agent, however that ends.
 */
function tell(line: string): void {
  if (process.platform === 'win32') return
  if (guard === null) {
    // Its own process group, so that a Ctrl+C for the agent does not end it; its environment has none of the agent's secrets.
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

/** Guards a process group. Returns a function to call when the group has ended. */
export function guardGroup(group: number): () => void {
  tell(`+ ${group}\n`)
  return () => tell(`- ${group}\n`)
}

import { ItemState, type RunItem } from './run.ts'

type Reason = NonNullable<RunItem['reason']>
type Ended = Pick<RunItem, 'state' | 'reason' | 'exit_code' | 'output'>

/** Why a part that is over isn't a success; null for any other. */
export function reasonOf({ state, reason, exit_code }: Omit<Ended, 'output'>): Reason | null {
  if (state === ItemState.noAnswer) return reason ?? 'lost'
  if (state !== ItemState.failure) return reason
  return reason ?? (exit_code === null ? 'failure' : 'exit')
}

const messages: Readonly<Record<Reason, (part: Ended) => string>> = {
  offline: () => 'the server was offline when the run started',
  lost: () => 'the connection was lost before the agent answered',
  deadline: () => 'no answer within the time limit',
  stopped: () => 'the run was stopped before this server’s turn',
  refused: ({ output }) => firstLine(output) || 'the agent refused',
  timeLimit: () => 'the command was stopped at the time limit',
  sameVersion: ({ output }) => `the agent is back with the version it had${output ? `: ${firstLine(output)}` : ''}`,
  exit: ({ exit_code }) => `the command ended with exit code ${exit_code}`,
  failure: ({ output }) => firstLine(output) || 'the agent reported a failure and no more',
}

/** One sentence for scripts about a part that is over and not a success; empty for any other. */
export function messageOf(part: Ended): string {
  const reason = reasonOf(part)
  return reason === null ? '' : messages[reason](part)
}

/** Characters of an output in a message. */
const maxShown = 200

const firstLine = (output: string) => (output.trim().split('\n')[0] ?? '').slice(0, maxShown)

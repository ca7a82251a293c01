import { type Replay, type ReplayOptions, startReplay } from '../replay/dashboard.ts'
import { createTestIo, type TestIoOptions } from './io.ts'
import { runQd } from './run.ts'

/** One run of `qd` in the home of a test. */
export type Qd = (words: readonly string[], input?: string) => Promise<{ code: number; stdout: string; stderr: string }>

/** `qd` in a home of its own, in this process. */
export function createQd(env: TestIoOptions['env'] = {}): Qd {
  const { home } = createTestIo()
  return (args, input = '') => runQd({ args, env, home, input })
}

/** A replayed dashboard with `qd` signed in at it. Throws if it isn’t let in. */
export async function signedIn(options: ReplayOptions = {}): Promise<{ dash: Replay; qd: Qd }> {
  const dash = await startReplay(options)
  const qd = createQd()
  const [user, password] = options.as === 'member' ? ['alice', 'alice-pass-1'] : ['admin', 'admin']
  const { code, stderr } = await qd(['login', dash.url, '--user', user, '--password-file', '-'], password)
  if (code !== 0) throw new Error(stderr)
  return { dash, qd }
}

import { runProgram } from '../../../apps/tui/src/start/program.ts'
import { createTestIo, type TestIoOptions } from './io.ts'

/** One run of `qd` in the home of a test. */
export type Qd = (words: readonly string[], input?: string) => Promise<{ code: number; stdout: string; stderr: string }>

/** `qd` in a home of its own, in this process. */
export function createQd(env: TestIoOptions['env'] = {}): Qd {
  const { home } = createTestIo()
  return async (args, input = '') => {
    const io = createTestIo({ args, env, home, input })
    return { code: await runProgram(io), ...io.written() }
  }
}

/** `qd` signed in at a replayed dashboard. Throws if it is not let in. */
export async function signInAt<Dash extends { readonly url: string }>(
  dash: Dash,
  as: 'admin' | 'member' = 'admin',
): Promise<{ dash: Dash; qd: Qd }> {
  const qd = createQd()
  const [user, password] = as === 'member' ? ['alice', 'alice-pass-1'] : ['admin', 'admin']
  const { code, stderr } = await qd(['login', dash.url, '--user', user, '--password-file', '-'], password)
  if (code !== 0) throw new Error(stderr)
  return { dash, qd }
}

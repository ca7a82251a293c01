import type { Machine } from './machine.ts'

export const timedOut = Symbol('timeout')

/** The work goes on after the timeout. */
export const within = async <T>(ms: number, work: Promise<T>): Promise<T | typeof timedOut> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<typeof timedOut>((resolve) => {
    timer = setTimeout(() => resolve(timedOut), ms)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

export const withTimeout = async <T>(
  machine: Pick<Machine, 'sleep'>,
  ms: number,
  work: Promise<T>,
): Promise<T | 'timeout'> => {
  const settled = new AbortController()
  const timeout = machine.sleep(ms, settled.signal).then((): 'timeout' => 'timeout')
  try {
    return await Promise.race([work, timeout])
  } finally {
    settled.abort()
  }
}

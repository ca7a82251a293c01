import type { Machine } from './machine.ts'

export const late = Symbol('late')

/** The work goes on after the timeout. */
export const within = async <T>(ms: number, work: Promise<T>): Promise<T | typeof late> => {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<typeof late>((resolve) => {
    timer = setTimeout(() => resolve(late), ms)
  })
  try {
    return await Promise.race([work, tooLate])
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
): Promise<T | 'late'> => {
  const settled = new AbortController()
  const late = machine.sleep(ms, settled.signal).then((): 'late' => 'late')
  try {
    return await Promise.race([work, late])
  } finally {
    settled.abort()
  }
}

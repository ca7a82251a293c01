import type { Machine } from './machine.ts'

/** What `within` resolves with if the time is over first. */
export const late = Symbol('late')

/** The result of some work, or `late` if it takes longer than this; the work goes on. Errors: those of the work. */
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

/** Resolves when the signal is aborted, at once if it already is. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** The result of the work, or `late` if the work takes longer than this number of milliseconds. Errors: those of the work. */
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

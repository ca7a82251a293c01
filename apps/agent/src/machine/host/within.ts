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

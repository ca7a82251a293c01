import type * as z from 'zod'

/** What a value lacks, by place, without what stands there instead: `id: expected number, host: expected object`. */
export function shapeFaults({ issues }: z.ZodError): string {
  const faults = issues.map(({ path, message }) => {
    const wanted = message.replace(/^Invalid [a-z]+: /, '').replace(/, received .*$/s, '')
    return path.length === 0 ? wanted : `${path.join('.')}: ${wanted}`
  })
  return faults.join(', ')
}

import { isIPv6 } from 'node:net'
import type { CommandEnd, Machine } from '../../machine/machine.ts'
import { type Finding, failure } from './probe.ts'
import { addressesOf } from './tcp.ts'

/** Five lines of replies and a summary are far shorter. */
const maxChars = 16_384
const packets = '5'
const missing = 'executable file not found'

/** Milliseconds of the replies that a `ping` printed: of iputils, BusyBox or BSD. A second reply to one packet does not count. */
export const readReplies = (output: string): number[] =>
  [...output.matchAll(/^\d+ bytes from .*time[=<]([\d.]+) ?ms(.*)$/gm)]
    .filter(([, , rest]) => !rest!.includes('DUP'))
    .map(([, ms]) => Number(ms))

/** Runs one `ping` program to its end, or until its time is over or the agent stops. */
const run = async (
  machine: Machine,
  file: string,
  { address, timeoutMs, stop }: { address: string; timeoutMs: number; stop: AbortSignal },
): Promise<{ end: CommandEnd; output: string; errors: string }> => {
  const decoder = new TextDecoder()
  let output = ''
  let errors = ''
  const { ended, kill } = machine.runProgram(
    // The parser understands only English output.
    { file, args: ['-c', packets, address], folder: '', env: { LC_ALL: 'C' }, stdin: '' },
    {
      onOutput(chunk) {
        if (output.length < maxChars) output += decoder.decode(chunk, { stream: true })
      },
      onErrors(chunk) {
        if (errors.length < maxChars) errors += Buffer.from(chunk).toString('utf8')
      },
    },
  )
  const over = new AbortController()
  void machine.sleep(timeoutMs, over.signal).then(() => over.signal.aborted || kill())
  stop.addEventListener('abort', kill)
  const end = await ended
  stop.removeEventListener('abort', kill)
  over.abort()
  return { end, output, errors }
}

/** Pings one address to its end. */
const ping = async (
  machine: Machine,
  limits: { address: string; timeoutMs: number; stop: AbortSignal },
): Promise<Finding> => {
  const is6 = isIPv6(limits.address)
  // Older systems, and those of Apple, have a separate program for IPv6.
  let ran = await run(machine, is6 ? 'ping6' : 'ping', limits)
  if (is6 && 'error' in ran.end) ran = await run(machine, 'ping', limits)
  const { end, output, errors } = ran
  if ('error' in end) return failure(end.error === missing ? 'ping is not installed on this server' : end.error)
  const replies = readReplies(output)
  if (replies.length > 0) return { successful: true, delay: replies.reduce((sum, ms) => sum + ms, 0) / replies.length }
  return failure(errors.trim().split('\n')[0] || 'pockets recv 0')
}

/**
 * Task 2: five pings by the system's own program, which needs no privileges of ours. One reply is a success. Where an address can’t be reached
 * at all, which `ping` says at once, the next address of the name is tried.
 */
export const probeIcmp = async (
  machine: Machine,
  target: string,
  { timeoutMs, stop }: { timeoutMs: number; stop: AbortSignal },
): Promise<Finding> => {
  const addresses = await addressesOf(machine, target)
  if (typeof addresses === 'string') return failure(addresses)
  const until = machine.now() + timeoutMs
  let found: Finding = failure('')
  for (const address of addresses) {
    found = await ping(machine, { address, timeoutMs: until - machine.now(), stop })
    if (addresses.length > 1) found = found.successful ? { ...found, address } : failure(`${found.data} (${address})`)
    if (found.successful || until - machine.now() < timeoutMs / 2) break
  }
  return found
}

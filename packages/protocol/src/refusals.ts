/**
 * Why our agents refuse a task: the code of a result of type `progressType.refused`, and the text of the final result.
 * Source: docs/reference/agent-extensions.md.
 */
export const refusals = {
  watchOnly: 'this agent is watch-only (watch_only on the host)',
  commandsDisabled: 'commands are disabled on this host (disable_command_execute)',
  updatesDisabled: 'updates are disabled on this host (disable_force_update)',
  transferPending: 'another transfer of this server is being applied; try again in a minute',
} as const

/** One of the reasons of `refusals`. */
export type RefusalCode = keyof typeof refusals

/** What existing agents say instead, some of it in Chinese. Source: agent contract 3.2, 3.8, 3.10, 11. */
const existing: readonly (readonly [RegExp, RefusalCode])[] = [
  [/^\u6b64 Agent \u5df2\u7981\u6b62\u547d\u4ee4\u6267\u884c/, 'commandsDisabled'],
  [/^FsTransfer \u88ab agent DisableCommandExecute \u62d2\u7edd$/, 'commandsDisabled'],
  [/^agent disabled (command execution|file operations)$/, 'commandsDisabled'],
  [/^\u53e6\u4e00\u6761 server transfer .*\(transfer reload in progress\)$/, 'transferPending'],
]

/** Whether a text is one of the codes. */
export const isRefusalCode = (text: string): text is RefusalCode => Object.hasOwn(refusals, text)

/** The reason that a refusal’s text says, of our agents or existing ones; undefined for any other text. */
export const parseRefusal = (text: string): RefusalCode | undefined => {
  const said = text.trim()
  const ours = Object.entries(refusals).find(([, known]) => known === said)?.[0] as RefusalCode | undefined
  return ours ?? existing.find(([known]) => known.test(said))?.[1]
}

/** The text of a refusal as our agents say it; any other text as it is. */
export const inEnglish = (text: string): string => {
  const code = parseRefusal(text)
  return code ? refusals[code] : text
}

/** What existing agents put before the output of a command that took longer than two hours. Source: agent contract 3.5. */
const existingTimeLimit = '\u4efb\u52a1\u6267\u884c\u8d85\u65f6\n'
const ownTimeLimit = /^timed out after \d+ s\n/

/** The first line of the output of a command that our agent ended after so many milliseconds. */
export const toTimeLimitLine = (ms: number): string => `timed out after ${Math.round(ms / 1000)} s\n`

/** An output without the line that says that its command was ended at the agent’s own time limit; undefined if it has none. */
export const withoutTimeLimit = (output: string): string | undefined => {
  if (output.startsWith(existingTimeLimit)) return output.slice(existingTimeLimit.length)
  const [line] = ownTimeLimit.exec(output) ?? []
  return line === undefined ? undefined : output.slice(line.length)
}
